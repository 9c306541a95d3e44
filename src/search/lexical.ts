import type { Collection, Shelf } from './collection.ts';
import { FIELD_COUNT } from './fields.ts';
import type { QueryTerm } from './query-terms.ts';
import { COUNT_MASK, DOCUMENT_SHIFT, FIELD_MASK, FIELD_SHIFT } from './segment.ts';

/** By field number: name, title, server, summary, argument names, enum values, argument descriptions, description. */
const FIELD_WEIGHTS = [3, 2, 1.5, 1, 0.7, 0.5, 0.25, 0.7] as const;
const LENGTH_NORMALISATION = 0.75;
const SATURATION = 1.6;
const COORDINATION = 0.35;

export interface Candidate {
  readonly shelf: Shelf;
  readonly document: number;
  /** Number of the document in the whole collection. */
  readonly number: number;
  readonly lexical: number;
}

export interface LexicalResult {
  /** Best first; of equals the name decides. */
  readonly candidates: Candidate[];
  /** How many documents hold at least one of the terms. */
  readonly matched: number;
}

export interface Scope {
  readonly collection: Collection;
  readonly includes: (server: string) => boolean;
}

/** First stage: fielded BM25 over all postings of the query's terms, the best `limit` documents. */
export function findCandidates(scope: Scope, terms: readonly QueryTerm[], limit: number): LexicalResult {
  const { collection } = scope;
  const { scores, shares, best } = takeScratch(collection.span);
  const touched: number[] = [];
  const normalise = lengthNormaliser(collection);
  let total = 0;
  for (const term of terms) {
    const idf = idfOfTerm(collection, term) * term.weight;
    total += idf;
    const ofTerm: number[] = [];
    for (const { term: text, discount } of term.alternatives) {
      eachMatch(scope, text, ({ shelf, document, from, to }) => {
        const score = discount * idf * saturate(shelf, document, from, to, normalise);
        const number = shelf.base + document;
        const before = best[number] ?? 0;
        if (before === 0) ofTerm.push(number);
        // The best alternative of a term counts, not their sum.
        if (score > before) best[number] = score;
      });
    }
    for (const number of ofTerm) {
      const score = best[number] ?? 0;
      if (scores[number] === 0) touched.push(number);
      scores[number] = (scores[number] ?? 0) + score;
      shares[number] = (shares[number] ?? 0) + Math.min(score, idf);
      best[number] = 0;
    }
  }
  for (const number of touched) {
    scores[number] = (scores[number] ?? 0) * ((shares[number] ?? 0) / total) ** COORDINATION;
  }
  const candidates = pickBest(collection, scores, touched, limit);
  for (const number of touched) {
    scores[number] = 0;
    shares[number] = 0;
  }
  return { candidates, matched: touched.length };
}

interface Scratch {
  readonly scores: Float64Array;
  readonly shares: Float64Array;
  readonly best: Float64Array;
}

let scratch: Scratch | undefined;

/** All zero; kept between searches, as large arrays for each would keep the garbage collector busy. */
function takeScratch(span: number): Scratch {
  if (scratch === undefined || scratch.scores.length < span) {
    const array = () => new Float64Array(Math.ceil(span * 1.25));
    scratch = { scores: array(), shares: array(), best: array() };
  }
  return scratch;
}

export interface Match {
  readonly shelf: Shelf;
  /** The term's number in the shelf's segment. */
  readonly term: number;
  readonly document: number;
  /** The document's postings of the term: from `from` up to, not including, `to`. */
  readonly from: number;
  readonly to: number;
}

/** Calls `visit` for every document in scope that has the term. The argument is reused between calls. */
export function eachMatch(
  { collection, includes }: Scope,
  text: string,
  visit: (match: Match) => void,
): void {
  collection.vocabulary.eachOccurrence(text, (slot, term) => {
    const shelf = collection.shelf(slot);
    if (shelf === undefined || !includes(shelf.server)) return;
    const { postings, starts } = shelf.segment;
    const end = starts[term + 1] ?? 0;
    const match = { shelf, term, document: 0, from: 0, to: starts[term] ?? 0 };
    while (match.to < end) {
      match.from = match.to;
      match.document = (postings[match.from] ?? 0) >>> DOCUMENT_SHIFT;
      while (match.to < end && (postings[match.to] ?? 0) >>> DOCUMENT_SHIFT === match.document) match.to++;
      visit(match);
    }
  });
}

/** How often a posting's word occurs in its field, relative to the length of the field. */
export type Normaliser = (lengths: Uint16Array, document: number, posting: number) => number;

export function lengthNormaliser(collection: Collection): Normaliser {
  const averages = Float64Array.from({ length: FIELD_COUNT }, (_, field) => collection.averageLength(field));
  return (lengths, document, posting) => {
    const field = (posting >>> FIELD_SHIFT) & FIELD_MASK;
    const relative = (lengths[document * FIELD_COUNT + field] ?? 0) / (averages[field] ?? 1);
    return (posting & COUNT_MASK) / (1 - LENGTH_NORMALISATION + LENGTH_NORMALISATION * relative);
  };
}

/** The term's part of a BM25 score, without its idf: 0 to 2.6. */
export function saturate(
  { segment }: Shelf,
  document: number,
  from: number,
  to: number,
  normalise: Normaliser,
): number {
  let frequency = 0;
  for (let i = from; i < to; i++) {
    const posting = segment.postings[i] ?? 0;
    const weight = FIELD_WEIGHTS[(posting >>> FIELD_SHIFT) & FIELD_MASK] ?? 0;
    frequency += weight * normalise(segment.lengths, document, posting);
  }
  return (frequency * (SATURATION + 1)) / (frequency + SATURATION);
}

export function idfOfTerm(collection: Collection, term: QueryTerm): number {
  const frequency = collection.vocabulary.frequency(term.stem);
  return Math.log(1 + (collection.size - frequency + 0.5) / (frequency + 0.5));
}

function pickBest(
  collection: Collection,
  scores: Float64Array,
  touched: readonly number[],
  limit: number,
): Candidate[] {
  const threshold = limitScore(scores, touched, limit);
  const shelves = collection.shelves();
  const candidates: Candidate[] = [];
  for (const number of touched) {
    const lexical = scores[number] ?? 0;
    if (lexical < threshold) continue;
    const shelf = shelfAt(shelves, number);
    if (shelf !== undefined) candidates.push({ shelf, document: number - shelf.base, number, lexical });
  }
  // Equals at the threshold may be more than asked for; cutting them by name keeps the answer the same
  // whatever order the servers came in.
  return candidates.sort(byLexicalThenName).slice(0, limit);
}

function byLexicalThenName(a: Candidate, b: Candidate): number {
  return b.lexical - a.lexical || compare(nameOf(a), nameOf(b)) || compare(a.shelf.server, b.shelf.server);
}

export function nameOf({ shelf, document }: Candidate): string {
  return shelf.segment.names[document] ?? '';
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The score of the document in place `limit`: a heap holds the best seen, the least of them on top. */
function limitScore(scores: Float64Array, touched: readonly number[], limit: number): number {
  if (touched.length <= limit) return 0;
  const heap = Float64Array.from(touched.slice(0, limit), (number) => scores[number] ?? 0).sort();
  for (let i = limit; i < touched.length; i++) {
    const score = scores[touched[i] ?? 0] ?? 0;
    if (score > (heap[0] ?? 0)) replaceLeast(heap, score);
  }
  return heap[0] ?? 0;
}

function replaceLeast(heap: Float64Array, score: number): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child++;
    if ((heap[child] ?? 0) >= score) break;
    heap[at] = heap[child] ?? 0;
    at = child;
  }
  heap[at] = score;
}

function shelfAt(shelves: readonly Shelf[], number: number): Shelf | undefined {
  let low = 0;
  let high = shelves.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((shelves[middle]?.base ?? 0) <= number) low = middle;
    else high = middle - 1;
  }
  return shelves[low];
}
