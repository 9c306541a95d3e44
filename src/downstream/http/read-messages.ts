import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Frame, readFrames } from '../../jsonrpc/frame.ts';
import { readJunk } from '../../jsonrpc/junk.ts';
import { INVALID_REQUEST, PARSE_ERROR } from '../../mcp/error-codes.ts';
import { leaveSoon, readBody } from './read-body.ts';
import { type Refusal, refuse } from './refusal.ts';

const MAX_BATCH = 100;
/** Enough to see past white space whether a list follows. */
const FIRST_BYTES = 100;

const WRONG_TYPE: Refusal = {
  status: 415,
  message: 'Unsupported Media Type: Content-Type must be application/json, without an encoding',
};
const NO_JSON: Refusal = { status: 400, code: PARSE_ERROR, message: 'Parse error: the body is no JSON' };
const NO_MESSAGE: Refusal = {
  status: 400,
  code: INVALID_REQUEST,
  message: 'Invalid Request: no JSON-RPC 2.0 message',
};
const LONG_BATCH: Refusal = {
  status: 400,
  code: INVALID_REQUEST,
  message: `Invalid Request: a batch may have ${MAX_BATCH} messages`,
};

export interface PostedMessages {
  readonly messages: readonly Frame[];
  /** Whether they came as a list (protocol 2025-03-26). */
  readonly isBatch: boolean;
}

/** The messages that a client posts, as it wrote them. Where there are none, the answer says why. */
export async function readMessages(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  maxBodyBytes: number,
): Promise<PostedMessages | undefined> {
  if (!isPlainJson(request)) {
    refuse(response, WRONG_TYPE);
    return undefined;
  }
  const body = await readBody(request, maxBodyBytes);
  if (body.kind === 'broken') return undefined;
  if (body.kind === 'too-large') {
    response.setHeader('connection', 'close');
    refuse(response, {
      status: 413,
      message: `Payload Too Large: a message may have ${maxBodyBytes} bytes`,
    });
    leaveSoon(request);
    return undefined;
  }
  const messages = readFrames(body.bytes);
  const isBatch = /^\s*\[/.test(body.bytes.toString('latin1', 0, FIRST_BYTES));
  if (messages.length > 0 && messages.length <= MAX_BATCH) return { messages, isBatch };
  refuse(response, messages.length > 0 ? LONG_BATCH : refusalOf(body.bytes));
  return undefined;
}

function refusalOf(body: Buffer): Refusal {
  const { isJson, id } = readJunk(body);
  if (!isJson) return NO_JSON;
  return id === undefined ? NO_MESSAGE : { ...NO_MESSAGE, id };
}

function isPlainJson({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  return encoding === 'identity' && /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
}
