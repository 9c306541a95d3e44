import { isServerError, METHOD_NOT_FOUND } from '../../mcp/error-codes.ts';
import type { RpcError } from './failure.ts';

/**
 * Whether a refusal says that the session is no more: 404 by the specification; the many servers built from the
 * SDK's examples answer 400 with an error of their own, and only its words tell it from other bad requests. Both
 * refuse the request before they look at it.
 */
export function isSessionLost(status: number, said: RpcError | undefined): boolean {
  if (status === 404) return said?.code !== METHOD_NOT_FOUND;
  return status === 400 && said !== undefined && isServerError(said.code) && speaksOfSession(said);
}

/** Whether an error may be about the session it came in, rather than about the request. */
export function speaksOfSession(said: RpcError | undefined): boolean {
  return said !== undefined && /session|initializ/i.test(said.message);
}
