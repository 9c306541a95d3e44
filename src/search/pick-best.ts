import type { Collection, Shelf } from './collection.ts';
import { type Candidate, compare, nameOf } from './lexical.ts';

/** The `limit` best of the documents in `touched`, best first. */
export function pickBest(
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
