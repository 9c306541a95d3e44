import { ToolsiftError } from '../errors.ts';
import type { Edit } from '../json/splice.ts';
import { forwardRequest } from '../jsonrpc/forward-request.ts';
import type { ResponseFrame } from '../jsonrpc/frame.ts';
import type { IncomingRequest } from '../jsonrpc/incoming-request.ts';
import type { Peer } from '../jsonrpc/peer.ts';
import { CallDeadline } from './call-deadline.ts';
import { withStartNotices } from './start-notice.ts';
import type { UpstreamView } from './upstream-view.ts';
import { answerToolError, serverError } from './wire-error.ts';

export interface CallToForward {
  readonly request: IncomingRequest;
  readonly client: Peer;
  readonly upstream: UpstreamView;
  readonly tool: string;
  /** What of the request's text is to read differently upstream: the name, for `invoke_tool` the arguments. */
  readonly edits: readonly Edit[];
  readonly onanswer: (answer: ResponseFrame) => void;
}

/** Forwards a `tools/call` to its upstream, which is started first where it is not running. */
export async function forwardCall(call: CallToForward): Promise<void> {
  const { request, upstream } = call;
  try {
    // No await while the session is open: calls keep the order in which the client sent them.
    const acquired = upstream.acquire();
    const { peer } =
      acquired instanceof Promise
        ? await withStartNotices({ request, client: call.client, server: upstream.name }, acquired)
        : acquired;
    if (request.isOpen) send(call, peer);
  } catch (error) {
    answerToolError(request, serverError(upstream.name, error));
  }
}

function send({ request, client, upstream, tool, edits, onanswer }: CallToForward, to: Peer): void {
  const fail = (error: ToolsiftError) => {
    deadline.clear();
    answerToolError(request, callError(upstream.name, tool, error));
  };
  const deadline = new CallDeadline(upstream.limits, tool, (error) => {
    outgoing.cancel('time limit of the call passed');
    fail(error);
  });
  const outgoing = forwardRequest(request, {
    from: client,
    to,
    edits,
    onanswer: (answer) => {
      deadline.clear();
      onanswer(answer);
    },
    onprogress: () => deadline.extend(),
    onlost: fail,
  });
  const { oncancel } = request;
  request.oncancel = (notification) => {
    deadline.clear();
    oncancel?.(notification);
  };
}

function callError(server: string, tool: string, error: ToolsiftError): ToolsiftError {
  if (error.code !== 'upstream_exited')
    return serverError(server, error, `did not finish the call of ${tool}`);
  const why = `${error.message}; the call was not repeated, since it may have had effects`;
  return serverError(server, new ToolsiftError(error.code, why, error), `ended during the call of ${tool}`);
}
