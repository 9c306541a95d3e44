import type { ToolKey } from '../index/collection.ts';
import type { QueryTerm } from '../query/query-terms.ts';
import type { Candidate } from './candidate.ts';
import { idOf } from './exact-first.ts';
import { keyOf } from './explain.ts';
import { findCandidates, type Scope } from './lexical.ts';
import { type Meaning, nearestMeanings } from './nearest-meanings.ts';
import { ADDED_BY_MEANING, RERANKED } from './rerank.ts';

export interface Shortlist {
  /** For the second stage: the first stage's best and, wherever they stand, the tools that the query names. */
  readonly top: readonly Candidate[];
  /** The rest of what was asked for, in the order of the first stage. */
  readonly rest: readonly Candidate[];
  /** How many tools have at least one of the terms. */
  readonly matched: number;
}

/** Candidates for `limit` hits. What is on top, and so every score, does not depend on `limit`. */
export function makeShortlist(
  scope: Scope,
  terms: readonly QueryTerm[],
  named: readonly ToolKey[],
  limit: number,
  meaning?: Meaning,
): Shortlist {
  const { candidates, matched } = findCandidates(scope, terms, Math.max(RERANKED, limit));
  const byWords = candidates.slice(0, RERANKED);
  const byMeaning = meaning === undefined ? [] : nearestMeanings(scope, meaning, byWords, ADDED_BY_MEANING);
  const best = [...byWords, ...byMeaning];
  const isBest = new Set(best.map((candidate) => idOf(keyOf(candidate))));
  const missing = named.filter((key) => !isBest.has(idOf(key)));
  if (missing.length === 0 && byMeaning.length === 0)
    return { top: best, rest: candidates.slice(RERANKED), matched };
  const added = findThem(scope, terms, missing);
  const isAdded = new Set([...byMeaning, ...added].map(({ number }) => number));
  const rest = candidates.slice(RERANKED).filter(({ number }) => !isAdded.has(number));
  return { top: [...best, ...added], rest, matched };
}

/** These tools alone, as far as they have any of the terms. */
function findThem(scope: Scope, terms: readonly QueryTerm[], keys: readonly ToolKey[]): Candidate[] {
  const wanted = new Set(keys.map(idOf));
  const servers = new Set(keys.map(({ server }) => server));
  const ofServers = { collection: scope.collection, includes: (server: string) => servers.has(server) };
  const { candidates } = findCandidates(ofServers, terms, scope.collection.size);
  return candidates.filter((candidate) => wanted.has(idOf(keyOf(candidate))));
}
