import { forwardRequest } from '../jsonrpc/forward-request.ts';
import type { IncomingRequest } from '../jsonrpc/incoming-request.ts';
import type { Peer } from '../jsonrpc/peer.ts';
import { neededOfClient } from '../mcp/capabilities.ts';
import { INTERNAL_ERROR, METHOD_NOT_FOUND } from '../mcp/error-codes.ts';
import type { Asking } from './session-scope.ts';

/** Hands what an upstream asks to the client, if it declared that it can be asked; other methods are its affair. */
export function askClient(
  request: IncomingRequest,
  { server, relatedRequest, client, declared }: Asking & { client: Peer; declared: ReadonlySet<string> },
): void {
  const needed = neededOfClient(request.frame.method);
  if (needed !== undefined && !declared.has(needed)) {
    request.error(METHOD_NOT_FOUND, `Method not found: the client does not support ${needed}`);
    return;
  }
  forwardRequest(request, {
    from: server,
    to: client,
    relatedRequest,
    onlost: () => request.error(INTERNAL_ERROR, 'the client is gone'),
  });
}
