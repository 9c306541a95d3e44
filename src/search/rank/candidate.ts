import type { Shelf } from '../index/collection.ts';

/** A tool that has words of the query. */
export interface Candidate {
  readonly shelf: Shelf;
  readonly document: number;
  /** Number of the document in the whole collection. */
  readonly number: number;
  /** Its score in the first stage. */
  readonly lexical: number;
}

export function nameOf({ shelf, document }: Candidate): string {
  return shelf.segment.names[document] ?? '';
}

/** The order of texts by their UTF-16 units. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
