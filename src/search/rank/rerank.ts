import type { Query } from '../query/query-terms.ts';
import { type Background, decodeWords } from '../words/word-background.ts';
import type { Candidate } from './candidate.ts';
import { gatherEvidence } from './evidence.ts';
import { featureTable } from './feature-table.ts';
import type { Scope } from './lexical.ts';
import { scorerOf } from './model.ts';
import type { Meaning } from './nearest-meanings.ts';
import weights from './weights.json' with { type: 'json' };

/** How many of the first stage's best the second stage ranks again; of more, hardly one gets among the first ten. */
export const RERANKED = 60;
/** How many more by their meaning alone. */
export const ADDED_BY_MEANING = 30;

let background: Background | undefined;
let scoreRows: ReturnType<typeof scorerOf> | undefined;

/** Second stage: the learned score of each candidate, above 0 and comparable within one answer. */
export function scoreCandidates(
  scope: Scope,
  query: Query,
  candidates: readonly Candidate[],
  meaning?: Meaning,
): number[] {
  if (candidates.length === 0) return [];
  background ??= decodeWords(weights.words);
  const gathered = gatherEvidence(scope, query, candidates);
  const table = featureTable(query, gathered.evidence, gathered.weights, background, meaning);
  scoreRows ??= scorerOf(weights.model);
  const scores = scoreRows(table);
  const highest = Math.max(...scores);
  return scores.map((score) => Math.exp(score - highest));
}
