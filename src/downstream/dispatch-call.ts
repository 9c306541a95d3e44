import { ToolsiftError } from '../errors.ts';
import type { Edit } from '../json/splice.ts';
import type { ResponseFrame } from '../jsonrpc/frame.ts';
import type { IncomingRequest } from '../jsonrpc/incoming-request.ts';
import type { Peer } from '../jsonrpc/peer.ts';
import { CallDeadline } from './call-deadline.ts';
import { withStartNotices } from './start-notice.ts';
import type { ConnectionView, UpstreamView } from './upstream-view.ts';
import { answerToolError, serverError } from './wire-error.ts';

export interface CallToDispatch {
  readonly request: IncomingRequest;
  readonly client: Peer;
  readonly upstream: UpstreamView;
  readonly tool: string;
  /** What of the request's text is to read differently upstream: the name, for `invoke_tool` the arguments. */
  readonly edits?: readonly Edit[];
  readonly onanswer?: (answer: ResponseFrame) => void;
  /** Answers a call that failed on our side; as a tool result where absent. */
  readonly onfail?: (error: ToolsiftError) => void;
}

/**
 * Sends a `tools/call` to its upstream, which is started first where it is not running. Every call of a tool passes
 * here, whichever way its client was told of the tool.
 */
export async function dispatchCall(call: CallToDispatch): Promise<void> {
  const { request, upstream, client } = call;
  const fail = call.onfail ?? ((error) => answerToolError(request, error));
  try {
    // No await while the connection is open: calls keep the order in which the client sent them.
    const acquired = upstream.acquire();
    const connection =
      acquired instanceof Promise
        ? await withStartNotices({ request, client, server: upstream.name }, acquired)
        : acquired;
    if (request.isOpen) send(call, connection, fail);
  } catch (error) {
    fail(serverError(upstream.name, error));
  }
}

function send(call: CallToDispatch, to: ConnectionView, fail: (error: ToolsiftError) => void): void {
  const { request, client, upstream, tool, edits = [], onanswer } = call;
  const lost = (error: ToolsiftError) => {
    deadline.clear();
    fail(callError(upstream.name, tool, error));
  };
  const deadline = new CallDeadline(upstream.limits, tool, (error) => {
    outgoing.cancel('time limit of the call passed');
    lost(error);
  });
  const outgoing = to.forward(request, {
    from: client,
    edits,
    onanswer: (answer) => {
      deadline.clear();
      onanswer?.(answer);
    },
    onprogress: () => deadline.extend(),
    onlost: lost,
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
