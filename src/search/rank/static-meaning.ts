import { readMeaning } from '../meaning/query-meaning.ts';
import { textVector, tokenTable } from '../meaning/static-vectors.ts';
import type { Meaning } from './nearest-meanings.ts';

/** What a query means by the vectors of words, to be compared with those that the segments have. */
export function staticMeaning(query: string): Meaning | undefined {
  const tokens = tokenTable();
  if (tokens === undefined) return undefined;
  return {
    query: readMeaning(query, (text) => textVector(tokens, text)),
    vectorsOf: ({ segment }) => segment.vectors,
  };
}
