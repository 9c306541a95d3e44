import { forwardRequest } from '../jsonrpc/forward-request.ts';
import { type Frame, memberOf, membersOf } from '../jsonrpc/frame.ts';
import { INTERNAL_ERROR, type IncomingRequest, METHOD_NOT_FOUND } from '../jsonrpc/incoming-request.ts';
import type { Peer } from '../jsonrpc/peer.ts';

/** What a client must have declared before it may be asked for something. */
const NEEDED_CAPABILITY: ReadonlyMap<string, string> = new Map([
  ['sampling/createMessage', 'sampling'],
  ['elicitation/create', 'elicitation'],
  ['roots/list', 'roots'],
]);

/** Hands what an upstream asks to the client, if it declared that it can be asked; other methods are its affair. */
export function askClient(
  request: IncomingRequest,
  { upstream, client, declared }: { upstream: Peer; client: Peer; declared: ReadonlySet<string> },
): void {
  const needed = NEEDED_CAPABILITY.get(request.frame.method);
  if (needed !== undefined && !declared.has(needed)) {
    request.error(METHOD_NOT_FOUND, `Method not found: the client does not support ${needed}`);
    return;
  }
  forwardRequest(request, {
    from: upstream,
    to: client,
    onlost: () => request.error(INTERNAL_ERROR, 'the client is gone'),
  });
}

/** Names of the capabilities a client declares in its `initialize`. */
export function declaredCapabilities(initialize: Frame): ReadonlySet<string> {
  const params = membersOf(initialize, initialize.params);
  return new Set(membersOf(initialize, memberOf(params, 'capabilities')).map(({ key }) => key));
}
