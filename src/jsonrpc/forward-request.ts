import type { ToolsiftError } from '../errors.ts';
import type { Span } from '../json/scan.ts';
import type { Edit } from '../json/splice.ts';
import { at, type Frame, type NotificationFrame, type ResponseFrame, textOf, valueAt } from './frame.ts';
import type { IncomingRequest } from './incoming-request.ts';
import { rewritten } from './message.ts';
import type { OutgoingRequest } from './outgoing-request.ts';
import type { Peer } from './peer.ts';

const TOKEN = 'progressToken';
/** Any letter of a key can be spelled so. */
const ESCAPE = '\\u';

export interface ForwardOptions {
  readonly from: Peer;
  readonly to: Peer;
  /** Changes to the request besides its id and progress token. */
  readonly edits?: readonly Edit[] | undefined;
  /** The request of the other side in whose course this one is made, where that is known; its id as it gave it. */
  readonly relatedRequest?: string | undefined;
  /** Sees the answer once it has been handed on; nothing the client says in return can come before that. */
  readonly onanswer?: ((answer: ResponseFrame) => void) | undefined;
  readonly onprogress?: (() => void) | undefined;
  /** Called once when the server is no longer at it: it has answered, cannot, or was told not to. */
  readonly onover?: (() => void) | undefined;
  /** No answer can come; whoever forwards says what the other side gets instead. */
  readonly onlost: (reason: ToolsiftError) => void;
}

/**
 * Sends a request on to another peer and its answer back, both as they were written: only the id and the progress
 * token are exchanged for ones that are unique there, of the same JSON type. Progress and cancellation follow.
 */
export function forwardRequest(request: IncomingRequest, options: ForwardOptions): OutgoingRequest {
  const { from, to } = options;
  const { frame } = request;
  const token = progressTokenOf(frame);
  const tokenText = token === undefined ? undefined : textOf(frame, token);
  const outgoing = to.send(
    (id, upstreamToken) => {
      const { method } = frame;
      const { relatedRequest } = options;
      const edits: Edit[] = [{ span: frame.id, text: id }];
      if (token !== undefined) edits.push({ span: token, text: upstreamToken });
      if (options.edits !== undefined) edits.push(...options.edits);
      return rewritten({ kind: 'request', id, method, relatedRequest, source: { frame, edits } });
    },
    {
      onanswer: (answer) => {
        request.answerWith(answer);
        options.onanswer?.(answer);
      },
      onlost: options.onlost,
      onover: options.onover,
      onprogress: (notification, span) => {
        options.onprogress?.();
        if (tokenText !== undefined && request.isOpen)
          from.notifyWith(notification, [{ span, text: tokenText }], request.id);
      },
    },
    { isIdString: request.id.startsWith('"'), isTokenString: tokenText?.startsWith('"') ?? false },
  );
  request.oncancel = (notification) => outgoing.cancel(reasonOf(notification));
  return outgoing;
}

/** Where the progress token of a request stands. */
export function progressTokenOf(frame: Frame): Span | undefined {
  // Most requests have none, and looking for the word is cheaper than reading their arguments once more.
  if (!frame.bytes.includes(TOKEN) && !frame.bytes.includes(ESCAPE)) return undefined;
  return at(frame, 'params', '_meta', TOKEN);
}

function reasonOf(notification: NotificationFrame | undefined): string | undefined {
  if (notification === undefined) return 'the client closed the connection';
  const reason = valueAt(notification, 'params', 'reason');
  return typeof reason === 'string' ? reason : undefined;
}
