import { FIELD_COUNT } from './fields.ts';

/**
 * The index of one server: immutable, and replaced as a whole. A posting is one number,
 * `document << 8 | field << 5 | count`, and postings are sorted by term, document and field.
 */
export interface Segment {
  readonly names: readonly string[];
  readonly terms: readonly string[];
  /** Where the postings of a term start; one more entry than terms. */
  readonly starts: Uint32Array;
  readonly postings: Uint32Array;
  /** In how many tools each term occurs. */
  readonly frequencies: Uint32Array;
  /** Words per document and field. */
  readonly lengths: Uint16Array;
  /** The terms of a tool's name in order; `nameStarts` has one more entry than names. */
  readonly nameStarts: Uint32Array;
  readonly nameTerms: Uint32Array;
}

export const DOCUMENT_SHIFT = 8;
export const FIELD_SHIFT = 5;
export const FIELD_MASK = 7;
export const COUNT_MASK = 31;

export function documentCount(segment: Segment): number {
  return segment.names.length;
}

/** Position of the first posting of a document within a term's postings, or -1. */
export function findPosting(segment: Segment, term: number, document: number): number {
  const { postings, starts } = segment;
  const wanted = document << DOCUMENT_SHIFT;
  const end = starts[term + 1] ?? 0;
  let low = starts[term] ?? 0;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((postings[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low < end && (postings[low] ?? 0) >>> DOCUMENT_SHIFT === document ? low : -1;
}

export function fieldLength(segment: Segment, document: number, field: number): number {
  return segment.lengths[document * FIELD_COUNT + field] ?? 0;
}
