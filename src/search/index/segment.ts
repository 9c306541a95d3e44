import { FIELD_COUNT } from './fields.ts';

/**
 * The index of one server: immutable, and replaced as a whole. A posting is one number,
 * `document << 8 | field << 5 | count`, and postings are sorted by term, document and field.
 */
export interface Segment {
  readonly names: readonly string[];
  /** Hashes of the terms, ascending; a term's number is its place among them. */
  readonly hashes: Uint32Array;
  /** The terms themselves in that order, for typo repair; decoded when first asked for. */
  readonly terms: () => readonly string[];
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
  /** By word of a name, as `nameTerms`: the part it plays (`ROLE`). */
  readonly nameRoles: Uint8Array;
  /** By tool: the sets of actions that its name and the opening of its description speak of. */
  readonly nameActions: Uint32Array;
  readonly textActions: Uint32Array;
  /** By tool: the kinds of detail that its arguments take, and what its annotations hint. */
  readonly details: Uint16Array;
  /** By tool: what it means, as unit vectors of signed bytes one after the other; empty where that is switched off. */
  readonly vectors: Int8Array;
}

export const DOCUMENT_SHIFT = 8;
export const FIELD_SHIFT = 5;
export const FIELD_MASK = 7;
export const COUNT_MASK = 31;

/** The number of the term with a hash, or -1. */
export function findTerm({ hashes }: Segment, hash: number): number {
  let low = 0;
  let high = hashes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((hashes[middle] ?? 0) < hash) low = middle + 1;
    else high = middle;
  }
  return hashes[low] === hash ? low : -1;
}

export function fieldLength(segment: Segment, document: number, field: number): number {
  return segment.lengths[document * FIELD_COUNT + field] ?? 0;
}
