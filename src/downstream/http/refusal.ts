import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendJson } from './json-answer.ts';

/** Errors in the words of the SDK's server, which clients know. */
export const BAD_REQUEST = -32000;
export const NO_SESSION = -32001;

export interface Refusal {
  readonly status: number;
  readonly message: string;
  /** Code of the JSON-RPC error; `BAD_REQUEST` where absent. */
  readonly code?: number;
  /** Id of the request that is refused, as JSON text. */
  readonly id?: string;
  readonly retryAfterSeconds?: number;
}

/** Refuses a request in the words of JSON-RPC, which is what clients read. */
export function refuse(response: ServerResponse, refusal: Refusal): void {
  const { status, message, code = BAD_REQUEST, id = 'null', retryAfterSeconds } = refusal;
  if (response.headersSent) return;
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', retryAfterSeconds);
  sendJson(response, status, [`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code, message })}}`]);
}

export function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
