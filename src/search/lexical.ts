import type { Collection, Shelf } from './collection.ts';
import { FIELD_COUNT } from './fields.ts';
import type { QueryTerm } from './query-terms.ts';
import { COUNT_MASK, DOCUMENT_SHIFT, FIELD_MASK, FIELD_SHIFT } from './segment.ts';

/** By field number: name, title, server, summary, argument names, enum values, argument descriptions, description. */
export const FIELD_WEIGHTS = [3, 2, 1.5, 1, 0.7, 0.5, 0.25, 0.7] as const;
const LENGTH_NORMALISATION = 0.75;
const SATURATION = 1.6;
const COORDINATION = 0.35;

export interface Candidate {
  readonly shelf: Shelf;
  readonly document: number;
  readonly lexical: number;
}

export interface LexicalResult {
  readonly candidates: Candidate[];
  /** How many documents hold at least one of the terms. */
  readonly matched: number;
}

/** First stage: fielded BM25 over all postings of the query's terms, the best `limit` documents. */
export function findCandidates(
  collection: Collection,
  terms: readonly QueryTerm[],
  limit: number,
  includes: (server: string) => boolean,
): LexicalResult {
  const scores = new Float64Array(collection.span);
  const shares = new Float64Array(collection.span);
  const best = new Float64Array(collection.span);
  const touched: number[] = [];
  const averages = Array.from({ length: FIELD_COUNT }, (_, field) => collection.averageLength(field));
  let total = 0;
  for (const term of terms) {
    const idf = idfOfTerm(collection, term) * term.weight;
    total += idf;
    const ofTerm: number[] = [];
    for (const alternative of term.alternatives) {
      scoreAlternative(alternative.term, alternative.discount * idf, ofTerm);
    }
    for (const document of ofTerm) {
      const score = best[document] ?? 0;
      if (scores[document] === 0) touched.push(document);
      scores[document] = (scores[document] ?? 0) + score;
      shares[document] = (shares[document] ?? 0) + Math.min(score, idf);
      best[document] = 0;
    }
  }
  for (const document of touched) {
    const share = (shares[document] ?? 0) / total;
    scores[document] = (scores[document] ?? 0) * share ** COORDINATION;
  }
  return { candidates: pickBest(collection, scores, touched, limit), matched: touched.length };

  /** A document's best alternative counts, not their sum. */
  function scoreAlternative(text: string, factor: number, ofTerm: number[]): void {
    for (const { slot, term } of collection.vocabulary.occurrences(text)) {
      const shelf = collection.shelf(slot);
      if (shelf === undefined || !includes(shelf.server)) continue;
      const { postings, starts, lengths } = shelf.segment;
      const end = starts[term + 1] ?? 0;
      let i = starts[term] ?? 0;
      while (i < end) {
        const document = (postings[i] ?? 0) >>> DOCUMENT_SHIFT;
        let frequency = 0;
        for (; i < end && (postings[i] ?? 0) >>> DOCUMENT_SHIFT === document; i++) {
          const posting = postings[i] ?? 0;
          const field = (posting >>> FIELD_SHIFT) & FIELD_MASK;
          const relative = (lengths[document * FIELD_COUNT + field] ?? 0) / (averages[field] ?? 1);
          frequency +=
            ((FIELD_WEIGHTS[field] ?? 0) * (posting & COUNT_MASK)) /
            (1 - LENGTH_NORMALISATION + LENGTH_NORMALISATION * relative);
        }
        const score = (factor * frequency * (SATURATION + 1)) / (frequency + SATURATION);
        const number = shelf.base + document;
        const before = best[number] ?? 0;
        if (before === 0) ofTerm.push(number);
        if (score > before) best[number] = score;
      }
    }
  }
}

/** Of a word the index lacks: the idf of the likeliest word meant. */
export function idfOfTerm(collection: Collection, term: QueryTerm): number {
  const frequency = collection.vocabulary.frequency(term.stem);
  return idf(collection.size, frequency);
}

export function idf(size: number, frequency: number): number {
  return Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5));
}

function pickBest(
  collection: Collection,
  scores: Float64Array,
  touched: number[],
  limit: number,
): Candidate[] {
  const threshold = limitScore(scores, touched, limit);
  const shelves = collection.servers
    .map((server) => collection.shelfOf(server))
    .filter((shelf) => shelf !== undefined)
    .sort((a, b) => a.base - b.base);
  const candidates: Candidate[] = [];
  for (const number of touched) {
    const lexical = scores[number] ?? 0;
    if (lexical < threshold) continue;
    const shelf = shelfAt(shelves, number);
    if (shelf !== undefined) candidates.push({ shelf, document: number - shelf.base, lexical });
  }
  return candidates;
}

function limitScore(scores: Float64Array, touched: readonly number[], limit: number): number {
  if (touched.length <= limit) return 0;
  const sorted = Float64Array.from(touched, (number) => scores[number] ?? 0).sort();
  return sorted[sorted.length - limit] ?? 0;
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
