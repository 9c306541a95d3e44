import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Frame, idOf } from '../../jsonrpc/frame.ts';
import { INVALID_REQUEST } from '../../mcp/error-codes.ts';
import { INITIALIZE } from '../../mcp/methods.ts';
import { PROTOCOL_VERSIONS } from '../../mcp/protocol-version.ts';
import type { Caller } from '../../policy/access.ts';
import { readAccepts } from './accepts.ts';
import { readMessages } from './read-messages.ts';
import { header, NO_SESSION, type Refusal, refuse } from './refusal.ts';
import { noteSession, type RequestRecord } from './request-record.ts';
import type { HttpSession, HttpSessions } from './sessions.ts';

/** From this version on a client knows what an event without a message is. */
const PRIMED_SINCE = '2025-11-25';
/** Who asks for too much is told so after a moment, and not as fast as it can ask. */
const REFUSAL_PAUSE_MS = 250;

const STOPPING: Refusal = {
  status: 503,
  message: 'Service Unavailable: the server is stopping',
  retryAfterSeconds: 5,
};
const FULL: Refusal = {
  status: 503,
  message: 'Service Unavailable: there are as many sessions as there may be',
  retryAfterSeconds: 5,
};

export interface McpEndpointOptions {
  readonly sessions: HttpSessions;
  readonly maxBodyBytes: number;
  /** Requests of one session that may be open at a time. */
  readonly maxOpenCalls: number;
  /** Whether we are on our way out and take no new requests. */
  readonly isDraining: () => boolean;
}

/** A request that came through the door: who sent it, and what is told of it later. */
export interface Admitted {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly caller: Caller;
  readonly record: RequestRecord;
}

/** The methods of the one address that MCP is spoken at. */
export class McpEndpoint {
  readonly #options: McpEndpointOptions;

  constructor(options: McpEndpointOptions) {
    this.#options = options;
  }

  async handle(admitted: Admitted): Promise<void> {
    const { request, response } = admitted;
    const version = header(request, 'mcp-protocol-version');
    if (version !== undefined && !PROTOCOL_VERSIONS.some((known) => known === version)) {
      const message = `Bad Request: Unsupported protocol version (supported versions: ${PROTOCOL_VERSIONS.join(', ')})`;
      refuse(response, { status: 400, message });
    } else if (request.method === 'POST') await this.#post(admitted);
    else if (request.method === 'GET') this.#get(admitted);
    else if (request.method === 'DELETE') this.#delete(admitted);
    else {
      response.setHeader('allow', 'GET, POST, DELETE');
      refuse(response, { status: 405, message: 'Method not allowed' });
    }
  }

  async #post(admitted: Admitted): Promise<void> {
    const { request, response, record } = admitted;
    const accepts = readAccepts(request.headers.accept);
    if (!accepts.json && !accepts.events) {
      const message = 'Not Acceptable: Client must accept both application/json and text/event-stream';
      refuse(response, { status: 406, message });
      return;
    }
    const { maxBodyBytes, maxOpenCalls } = this.#options;
    const posted = await readMessages(admitted, maxBodyBytes);
    if (posted === undefined) return;
    const { messages, isBatch } = posted;
    const [first] = messages;
    if (first !== undefined && first.kind !== 'response') record.rpcMethod = first.method;
    const session = this.#sessionFor(admitted, messages);
    if (session === undefined) return;
    const ids = messages.filter((frame) => frame.kind === 'request').map(idOf);
    if (ids.length === 0) {
      session.link.tell(messages);
      response.writeHead(202).end();
      return;
    }
    const refusal = this.#refusalOf(session, ids);
    if (refusal !== undefined) refuse(response, refusal);
    else if (session.link.openCalls + ids.length > maxOpenCalls)
      await refuseFlood(response, maxOpenCalls, ids[0]);
    else session.link.ask(messages, { response, accepts, isBatch, isPrimed: isPrimed(request) });
  }

  #get(admitted: Admitted): void {
    const { request, response } = admitted;
    if (!readAccepts(request.headers.accept).events) {
      refuse(response, { status: 406, message: 'Not Acceptable: Client must accept text/event-stream' });
      return;
    }
    const session = this.#known(admitted);
    if (session === undefined) return;
    const attachment = { response, isPrimed: isPrimed(request) };
    const lastEventId = header(request, 'last-event-id');
    if (lastEventId === undefined) {
      session.link.listen(attachment);
      return;
    }
    const outcome = session.link.resume(lastEventId, attachment);
    // What the specification of event streams says to a reader that is not to come again.
    if (outcome === 'over') response.writeHead(204).end();
    if (outcome === 'unknown')
      refuse(response, { status: 400, message: 'Bad Request: what follows this event is not kept any more' });
  }

  #delete(admitted: Admitted): void {
    const session = this.#known(admitted);
    if (session === undefined) return;
    session.link.end(new Error('the client ended the session'));
    admitted.response.writeHead(204).end();
  }

  /** The session a message is for, which `initialize` opens. Answers where there is none. */
  #sessionFor(admitted: Admitted, messages: readonly Frame[]): HttpSession | undefined {
    const { request, response } = admitted;
    const opening = messages.find((frame) => frame.kind === 'request' && frame.method === INITIALIZE);
    if (opening === undefined) return this.#known(admitted);
    if (header(request, 'mcp-session-id') !== undefined || messages.length > 1) {
      const message = 'Invalid Request: initialize opens a session, alone and without one';
      refuse(response, { status: 400, code: INVALID_REQUEST, message });
      return undefined;
    }
    if (this.#options.isDraining()) {
      refuse(response, STOPPING);
      return undefined;
    }
    const session = this.#options.sessions.create(admitted.caller);
    if (session === undefined) {
      refuse(response, FULL);
      return undefined;
    }
    noteSession(admitted.record, session.id);
    response.setHeader('mcp-session-id', session.id);
    return session;
  }

  /** The session that a request names. Answers where it names none that there is. */
  #known({ request, response, caller, record }: Admitted): HttpSession | undefined {
    const id = header(request, 'mcp-session-id');
    if (id === undefined) {
      refuse(response, {
        status: 400,
        message: 'Bad Request: Server not initialized, no Mcp-Session-Id header',
      });
      return undefined;
    }
    const session = this.#options.sessions.find(id, caller);
    if (session === undefined)
      refuse(response, { status: 404, code: NO_SESSION, message: 'Session not found' });
    else noteSession(record, session.id);
    return session;
  }

  #refusalOf({ link }: HttpSession, ids: readonly string[]): Refusal | undefined {
    const [id] = ids;
    const named = id === undefined ? {} : { id };
    if (this.#options.isDraining()) return { ...STOPPING, ...named };
    if (new Set(ids).size === ids.length && !ids.some((each) => link.isTaken(each))) return undefined;
    const message = 'Invalid Request: a request with this id has no answer yet';
    return { status: 400, code: INVALID_REQUEST, message, ...named };
  }
}

async function refuseFlood(response: ServerResponse, maxOpenCalls: number, id = 'null'): Promise<void> {
  await pause(REFUSAL_PAUSE_MS, undefined, { ref: false });
  const message = `Too Many Requests: ${maxOpenCalls} of a session may be open`;
  refuse(response, { status: 429, message, id, retryAfterSeconds: 1 });
}

/** Whether the client knows what an event without a message is. */
function isPrimed(request: IncomingMessage): boolean {
  return (header(request, 'mcp-protocol-version') ?? '') >= PRIMED_SINCE;
}
