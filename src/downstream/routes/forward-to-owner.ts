import { errorText } from '../../errors.ts';
import type { Edit } from '../../json/splice.ts';
import type { ResponseFrame } from '../../jsonrpc/frame.ts';
import type { IncomingRequest } from '../../jsonrpc/incoming-request.ts';
import type { Peer } from '../../jsonrpc/peer.ts';
import { INTERNAL_ERROR } from '../../mcp/error-codes.ts';
import type { UpstreamView } from '../upstream-view.ts';
import { serverError } from '../wire-error.ts';

export interface OwnedRequest {
  readonly request: IncomingRequest;
  readonly client: Peer;
  readonly upstream: UpstreamView;
  readonly edits?: readonly Edit[];
  readonly onanswer?: (answer: ResponseFrame) => void;
}

/** Forwards a request that is no tool call to the upstream it concerns; our failures are JSON-RPC errors here. */
export async function forwardToOwner({
  request,
  client,
  upstream,
  edits,
  onanswer,
}: OwnedRequest): Promise<void> {
  const fail = (error: unknown) =>
    request.error(INTERNAL_ERROR, errorText(serverError(upstream.name, error)), { server: upstream.name });
  try {
    const acquired = upstream.acquire();
    const connection = acquired instanceof Promise ? await acquired : acquired;
    if (!request.isOpen) return;
    connection.forward(request, {
      from: client,
      onlost: fail,
      ...(edits === undefined ? {} : { edits }),
      ...(onanswer === undefined ? {} : { onanswer }),
    });
  } catch (error) {
    fail(error);
  }
}
