import { INVALID_REQUEST, PARSE_ERROR } from '../mcp/error-codes.ts';
import type { LinkFault } from './link.ts';
import type { Peer } from './peer.ts';

/** Tells a client that what it wrote is no message, as JSON-RPC has it. */
export function refuseJunk(client: Peer, fault: LinkFault): void {
  if (fault.kind !== 'junk' || fault.isAnswer) return;
  if (fault.isJson)
    client.refuse(fault.id ?? 'null', INVALID_REQUEST, 'Invalid Request: no JSON-RPC 2.0 message');
  else client.refuse('null', PARSE_ERROR, 'Parse error: the line is no JSON');
}
