import type { ToolsiftError } from '../errors.ts';
import type { Span } from '../json/scan.ts';
import { type Edit, splice } from '../json/splice.ts';
import { type Frame, idOf, memberOf, membersOf, parsePart, textOf } from './frame.ts';
import type { IncomingRequest } from './incoming-request.ts';
import type { OutgoingRequest } from './outgoing-request.ts';
import type { Peer } from './peer.ts';

export interface ForwardOptions {
  readonly from: Peer;
  readonly to: Peer;
  /** Changes to the request besides its id and progress token. */
  readonly edits?: readonly Edit[];
  /** Sees the answer once it has been handed on; nothing the client says in return can come before that. */
  readonly onanswer?: (answer: Frame) => void;
  readonly onprogress?: () => void;
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
    (id, upstreamToken) =>
      splice(frame.bytes, [
        { span: frame.id as Span, text: id },
        ...(token === undefined ? [] : [{ span: token, text: upstreamToken }]),
        ...(options.edits ?? []),
      ]),
    {
      onanswer: (answer) => {
        request.answerWith(answer);
        options.onanswer?.(answer);
      },
      onlost: options.onlost,
      onprogress: (notification, span) => {
        options.onprogress?.();
        if (tokenText !== undefined && request.isOpen)
          from.notifyWith(notification, [{ span, text: tokenText }]);
      },
    },
    { isIdString: idOf(frame).startsWith('"'), isTokenString: tokenText?.startsWith('"') ?? false },
  );
  request.oncancel = (notification) => outgoing.cancel(reasonOf(notification));
  return outgoing;
}

/** Where the progress token of a request stands. */
export function progressTokenOf(frame: Frame): Span | undefined {
  return memberOf(membersOf(frame, memberOf(membersOf(frame, frame.params), '_meta')), 'progressToken');
}

function reasonOf(notification: Frame | undefined): string | undefined {
  if (notification === undefined) return 'the client closed the connection';
  const reason = parsePart(notification, memberOf(membersOf(notification, notification.params), 'reason'));
  return typeof reason === 'string' ? reason : undefined;
}
