import type { Collection, Shelf } from '../index/collection.ts';
import { FIELD_COUNT } from '../index/fields.ts';
import { normOf } from '../index/length-norms.ts';
import { COUNT_MASK, DOCUMENT_SHIFT, FIELD_MASK, FIELD_SHIFT } from '../index/segment.ts';
import type { QueryTerm } from '../query/query-terms.ts';
import type { Candidate } from './candidate.ts';
import { pickBest } from './pick-best.ts';

/** By field number: name, title, server, summary, argument names, enum values, argument descriptions, description. */
const FIELD_WEIGHTS = [3, 2, 1.5, 1, 0.7, 0.5, 0.25, 0.7] as const;
const SATURATION = 1.6;

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
  const norms = collection.lengthNorms();
  let total = 0;
  for (const term of terms) {
    const idf = idfOfTerm(collection, term) * term.weight;
    total += idf;
    const ofTerm: number[] = [];
    for (const { term: text, discount } of term.alternatives) {
      const { slots, locals } = collection.vocabulary.occurrences(text);
      for (let i = 0; i < slots.length; i++) {
        const shelf = collection.shelf(slots[i] ?? 0);
        if (shelf === undefined || !scope.includes(shelf.server)) continue;
        scorePostings(shelf, locals[i] ?? 0, discount * idf, norms, best, ofTerm);
      }
    }
    for (const number of ofTerm) {
      const score = best[number] ?? 0;
      if (scores[number] === 0) touched.push(number);
      scores[number] = (scores[number] ?? 0) + score;
      shares[number] = (shares[number] ?? 0) + Math.min(score, idf);
      best[number] = 0;
    }
  }
  const candidates = pickBest(collection, { scores, shares, total, touched }, limit);
  for (const number of touched) {
    scores[number] = 0;
    shares[number] = 0;
  }
  return { candidates, matched: touched.length };
}

/** Raises `best` of every document that has the term, and lists those that had nothing there. */
function scorePostings(
  { segment, base }: Shelf,
  term: number,
  weight: number,
  norms: Float64Array,
  best: Float64Array,
  found: number[],
): void {
  const { postings, starts, lengths } = segment;
  const end = starts[term + 1] ?? 0;
  let at = starts[term] ?? 0;
  while (at < end) {
    const document = (postings[at] ?? 0) >>> DOCUMENT_SHIFT;
    let frequency = 0;
    for (; at < end; at++) {
      const posting = postings[at] ?? 0;
      if (posting >>> DOCUMENT_SHIFT !== document) break;
      const field = (posting >>> FIELD_SHIFT) & FIELD_MASK;
      frequency += (FIELD_WEIGHTS[field] ?? 0) * normalise(norms, lengths, document, posting);
    }
    const score = weight * saturated(frequency);
    const number = base + document;
    const before = best[number] ?? 0;
    if (before === 0) found.push(number);
    // The best alternative of a term counts, not their sum.
    if (score > before) best[number] = score;
  }
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
  const { slots, locals } = collection.vocabulary.occurrences(text);
  for (let i = 0; i < slots.length; i++) {
    const shelf = collection.shelf(slots[i] ?? 0);
    if (shelf === undefined || !includes(shelf.server)) continue;
    const term = locals[i] ?? 0;
    const { postings, starts } = shelf.segment;
    const end = starts[term + 1] ?? 0;
    const match = { shelf, term, document: 0, from: 0, to: starts[term] ?? 0 };
    while (match.to < end) {
      match.from = match.to;
      match.document = (postings[match.from] ?? 0) >>> DOCUMENT_SHIFT;
      while (match.to < end && (postings[match.to] ?? 0) >>> DOCUMENT_SHIFT === match.document) match.to++;
      visit(match);
    }
  }
}

/** How often a posting's word occurs in its field, relative to the length of the field. */
export function normalise(
  norms: Float64Array,
  lengths: Uint16Array,
  document: number,
  posting: number,
): number {
  const field = (posting >>> FIELD_SHIFT) & FIELD_MASK;
  const length = lengths[document * FIELD_COUNT + field] ?? 0;
  return (posting & COUNT_MASK) / normOf(norms, field, length);
}

/** The term's part of a BM25 score, without its idf: 0 to 2.6. */
export function saturate(
  { segment }: Shelf,
  document: number,
  from: number,
  to: number,
  norms: Float64Array,
): number {
  let frequency = 0;
  for (let i = from; i < to; i++) {
    const posting = segment.postings[i] ?? 0;
    const weight = FIELD_WEIGHTS[(posting >>> FIELD_SHIFT) & FIELD_MASK] ?? 0;
    frequency += weight * normalise(norms, segment.lengths, document, posting);
  }
  return saturated(frequency);
}

function saturated(frequency: number): number {
  return (frequency * (SATURATION + 1)) / (frequency + SATURATION);
}

export function idfOfTerm(collection: Collection, term: QueryTerm): number {
  const frequency = frequencyOf(collection, term);
  return Math.log(1 + (collection.size - frequency + 0.5) / (frequency + 0.5));
}

/** In how many tools a word occurs, or the commonest of the words that tools have for it. */
export function frequencyOf({ vocabulary }: Collection, { stem, standIns }: QueryTerm): number {
  const own = vocabulary.frequency(stem);
  return standIns === undefined
    ? own
    : standIns.reduce((most, term) => Math.max(most, vocabulary.frequency(term)), own);
}
