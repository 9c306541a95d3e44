import type { ToolKey } from '../index/collection.ts';
import { cosine } from '../meaning/unit-vector.ts';
import { splitWords } from '../words/words.ts';
import type { Candidate } from './candidate.ts';
import { idOf, type Scored } from './exact-first.ts';
import { keyOf } from './explain.ts';
import type { Meaning } from './nearest-meanings.ts';

/** From this share of the best hit's score on a hit ranks nearly as high. */
const RIVAL_SHARE = 0.5;
const MAX_RIVALS = 3;

/** How near a hit's meaning is to the query's or to that of one of its clauses; undefined where none is compared. */
export function likenessOf(
  meaning: Meaning | undefined,
  candidates: readonly Candidate[],
  hit: ToolKey | undefined,
): number | undefined {
  const candidate = hit && candidates.find((one) => idOf(keyOf(one)) === idOf(hit));
  if (meaning === undefined || candidate === undefined) return undefined;
  const vectors = meaning.vectorsOf(candidate.shelf);
  if (vectors.length === 0) return undefined;
  const { whole, clauses } = meaning.query;
  const likenesses = [whole, ...clauses].map((vector) =>
    cosine(vector, vectors, candidate.document * vector.length),
  );
  return Math.max(...likenesses);
}

/** Hits of other servers that rank nearly as high as the first; none where the query names the first one's server. */
export function rivalsOf(hits: readonly Scored[], query: string): ToolKey[] {
  const [first, ...others] = hits;
  if (first === undefined || first.score === 0) return [];
  const words = new Set(splitWords(query));
  if (splitWords(first.server).some((word) => words.has(word))) return [];
  return others
    .filter(({ server, score }) => server !== first.server && score >= RIVAL_SHARE * first.score)
    .slice(0, MAX_RIVALS)
    .map(({ server, name }) => ({ server, name }));
}
