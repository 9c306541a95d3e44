import type { Span } from './scan.ts';

/** A piece of a message on its way out: bytes kept from a frame, or text of our own. */
export type Chunk = Uint8Array | string;

/** Replaces what stands at `span` by `text`. */
export interface Edit {
  readonly span: Span;
  readonly text: Chunk;
}

/** The bytes with every edit made and everything else untouched; nothing is copied. Edits must not overlap. */
export function splice(bytes: Uint8Array, edits: readonly Edit[]): Chunk[] {
  const chunks: Chunk[] = [];
  let at = 0;
  for (const { span, text } of inOrder(edits)) {
    if (span.start > at) chunks.push(bytes.subarray(at, span.start));
    chunks.push(text);
    at = span.end;
  }
  if (at < bytes.length) chunks.push(bytes.subarray(at));
  return chunks;
}

function inOrder(edits: readonly Edit[]): readonly Edit[] {
  return edits.length < 2 ? edits : edits.toSorted((a, b) => a.span.start - b.span.start);
}

/** One buffer of all chunks. */
export function joinChunks(chunks: readonly Chunk[]): Buffer {
  let length = 0;
  for (const chunk of chunks) length += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
  const joined = Buffer.allocUnsafe(length);
  let at = 0;
  for (const chunk of chunks) {
    if (typeof chunk === 'string') at += joined.write(chunk, at);
    else {
      joined.set(chunk, at);
      at += chunk.length;
    }
  }
  return joined;
}
