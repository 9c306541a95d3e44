import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { cut } from '../../cut.ts';

/** What is told of one HTTP request once it is over. Holds no query, header, token or body. */
export interface RequestRecord {
  /** Also the `X-Request-Id` of the answer. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The beginning of the session's id: enough to tell sessions apart, too little to speak in one. */
  session?: string;
  subject?: string;
  /** Method of the JSON-RPC message, or of the first of them. */
  rpcMethod?: string;
  status: number;
  durationMs: number;
}

const SESSION_SHOWN = 8;
const MAX_SHOWN = 100;

/** Follows a request to its end. `done` is called once, whether it was answered or its client left. */
export function recordRequest(
  request: IncomingMessage,
  response: ServerResponse,
  done: (record: RequestRecord) => void,
): RequestRecord {
  const startedAt = performance.now();
  const record: RequestRecord = {
    id: randomUUID(),
    method: request.method ?? '',
    path: pathOf(request),
    status: 0,
    durationMs: 0,
  };
  response.setHeader('x-request-id', record.id);
  response.once('close', () => {
    record.status = response.headersSent ? response.statusCode : 0;
    record.durationMs = performance.now() - startedAt;
    done(record);
  });
  return record;
}

export function noteSession(record: RequestRecord, id: string): void {
  record.session = id.slice(0, SESSION_SHOWN);
}

/** One line for the log, whatever the client wrote. */
export function describeRequest(record: RequestRecord): string {
  const { id, method, path, session, subject, rpcMethod, status, durationMs } = record;
  return [
    `http ${method} ${oneWord(path)} ${status === 0 ? 'left' : status} ${durationMs.toFixed(1)} ms`,
    ...(rpcMethod === undefined ? [] : [`method=${oneWord(rpcMethod)}`]),
    ...(session === undefined ? [] : [`session=${session}`]),
    ...(subject === undefined ? [] : [`subject=${oneWord(subject)}`]),
    `request=${id}`,
  ].join(' ');
}

export function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?', 1)[0] ?? '/';
}

/** What a client chose, without the spaces that would make it look like more than one thing. */
function oneWord(text: string): string {
  return cut(text, MAX_SHOWN).replace(/[^\x21-\x7e]/g, '?');
}
