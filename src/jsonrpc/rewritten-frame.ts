import type { Span } from '../json/scan.ts';
import type { Edit } from '../json/splice.ts';
import type { Frame } from './frame.ts';
import type { Source } from './message.ts';

/**
 * The frame that a rewritten message is, without reading it again.
 *
 * @param bytes the text the edits have led to; they change parts of it, or what is inside them, never their names
 */
export function rewrittenFrame({ frame, edits }: Source, bytes: Buffer): Frame {
  const place = (offset: number) => edits.reduce((moved, edit) => moved + shiftAt(offset, edit), offset);
  const span = ({ start, end }: Span): Span => ({ start: place(start), end: place(end) });
  const spanIfAny = (part: Span | undefined) => (part === undefined ? undefined : span(part));
  switch (frame.kind) {
    case 'request':
      return { ...frame, bytes, id: span(frame.id), params: spanIfAny(frame.params) };
    case 'notification':
      return { ...frame, bytes, params: spanIfAny(frame.params) };
    case 'response':
      return {
        ...frame,
        bytes,
        id: spanIfAny(frame.id),
        result: spanIfAny(frame.result),
        error: spanIfAny(frame.error),
      };
  }
}

/** How far an edit moves what stands at an offset. */
function shiftAt(offset: number, { span, text }: Edit): number {
  if (span.end > offset) return 0;
  const length = typeof text === 'string' ? Buffer.byteLength(text) : text.length;
  return length - (span.end - span.start);
}
