import type { ToolKey } from '../index/collection.ts';
import type { Vocabulary } from '../index/vocabulary.ts';
import type { Query } from '../query/query-terms.ts';
import type { Candidate } from './candidate.ts';
import { explainWords, keyOf } from './explain.ts';
import { idfOfTerm, type Scope } from './lexical.ts';

/** Words of a query that no tool has, nor anything that could stand for them. */
export function unknownWords(vocabulary: Vocabulary, { terms }: Query): string[] {
  return terms
    .filter(({ alternatives }) => !alternatives.some(({ term }) => vocabulary.has(term)))
    .map(({ word }) => word);
}

/** The share of a query's meaning, weighing rare words more, that a hit has words for. */
export function coverageOf(
  { collection }: Scope,
  read: Query,
  candidates: readonly Candidate[],
  hit: ToolKey | undefined,
): number {
  const candidate = candidates.find((one) => {
    const { server, name } = keyOf(one);
    return server === hit?.server && name === hit.name;
  });
  if (candidate === undefined) return 0;
  const includes = (server: string) => server === candidate.shelf.server;
  const covered = new Set(
    explainWords({ collection, includes }, read, [candidate])[0]?.map(({ word }) => word),
  );
  let sum = 0;
  let total = 0;
  for (const term of read.terms) {
    const idf = idfOfTerm(collection, term);
    total += idf;
    if (covered.has(term.word)) sum += idf;
  }
  return total === 0 ? 0 : sum / total;
}
