import type { Collection, Shelf } from '../index/collection.ts';
import { type Candidate, compare, nameOf } from './candidate.ts';

const COORDINATION = 0.35;
const STEPS = 64;
/** By how much of the query a document matches, in steps: at least what its score is multiplied by. */
const FACTOR_BOUNDS = Float64Array.from(
  { length: STEPS + 1 },
  (_, step) => ((step + 1) / STEPS) ** COORDINATION * (1 + 1e-9),
);

/** What the terms of a query add up to, by document number. */
interface Sums {
  /** Become the final scores, or 0 where a document cannot be among the best. */
  readonly scores: Float64Array;
  readonly shares: Float64Array;
  /** The most a share can be. */
  readonly total: number;
  readonly touched: readonly number[];
}

/** The `limit` best of the documents in `touched`, best first. */
export function pickBest(collection: Collection, sums: Sums, limit: number): Candidate[] {
  const { scores, touched } = sums;
  const threshold = coordinate(sums, limit);
  const shelves = collection.shelves();
  const candidates: Candidate[] = [];
  for (const number of touched) {
    const lexical = scores[number] ?? 0;
    if (lexical < threshold || lexical === 0) continue;
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

/**
 * Multiplies scores by the share of the query they come from, to the power of COORDINATION. Powers are slow: a
 * document that cannot reach the best `limit` is ruled out by a bound. Returns the score in place `limit`: a heap
 * holds the best seen, the least of them on top.
 */
function coordinate({ scores, shares, total, touched }: Sums, limit: number): number {
  const heap = new Float64Array(Math.min(limit, touched.length));
  for (const number of touched) {
    const sum = scores[number] ?? 0;
    const share = (shares[number] ?? 0) / total;
    const bound = FACTOR_BOUNDS[Math.min(Math.floor(share * STEPS), STEPS)] ?? 1;
    const least = heap[0] ?? 0;
    if (sum * bound < least) {
      scores[number] = 0;
      continue;
    }
    const score = sum * share ** COORDINATION;
    scores[number] = score;
    if (score > least) replaceLeast(heap, score);
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
