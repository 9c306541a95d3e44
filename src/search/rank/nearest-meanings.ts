import type { Shelf } from '../index/collection.ts';
import type { QueryMeaning } from '../meaning/query-meaning.ts';
import { cosine } from '../meaning/unit-vector.ts';
import { type Candidate, compare, nameOf } from './candidate.ts';
import type { Scope } from './lexical.ts';

/** Vectors of a server's tools, one after the other. */
export type VectorsOf = (shelf: Shelf) => Int8Array;

export interface Meaning {
  readonly query: QueryMeaning;
  readonly vectorsOf: VectorsOf;
}

/** Tools less like the query than this mean something else. */
const MIN_COSINE = 0.25;
/** The first numbers of a vector say most of it; every tool is compared by these. */
const SCANNED = 64;

/** The `limit` tools whose meaning is nearest, leaving out those that are candidates already; nearest first. */
export function nearestMeanings(
  { collection, includes }: Scope,
  { query, vectorsOf }: Meaning,
  known: readonly Candidate[],
  limit: number,
): Candidate[] {
  const isKnown = new Set(known.map(({ number }) => number));
  const { whole } = query;
  const found: { candidate: Candidate; likeness: number }[] = [];
  const scanned = Math.min(SCANNED, whole.length);
  let least = MIN_COSINE;
  for (const shelf of collection.shelves()) {
    if (!includes(shelf.server)) continue;
    const vectors = vectorsOf(shelf);
    if (vectors.length === 0) continue;
    const tools = shelf.segment.names.length;
    for (let document = 0; document < tools; document++) {
      const likeness = cosine(whole, vectors, document * whole.length, scanned);
      if (likeness < least) continue;
      const number = shelf.base + document;
      if (isKnown.has(number)) continue;
      found.push({ candidate: { shelf, document, number, lexical: 0 }, likeness });
      if (found.length >= 4 * limit) least = keepBest(found, limit);
    }
  }
  keepBest(found, limit);
  return found.map(({ candidate }) => candidate);
}

/** Cuts to the best; of equals the name decides, whatever order the servers came in. Returns the least that is left. */
function keepBest(found: { candidate: Candidate; likeness: number }[], limit: number): number {
  found.sort(
    (a, b) =>
      b.likeness - a.likeness ||
      compare(nameOf(a.candidate), nameOf(b.candidate)) ||
      compare(a.candidate.shelf.server, b.candidate.shelf.server),
  );
  found.length = Math.min(found.length, limit);
  return found.length < limit ? MIN_COSINE : (found.at(-1)?.likeness ?? MIN_COSINE);
}
