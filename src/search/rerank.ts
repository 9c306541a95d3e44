import { type Background, backgroundOf, decodeWords } from './background.ts';
import { featureRows } from './feature-vector.ts';
import { gatherEvidence } from './features.ts';
import type { Candidate, Scope } from './lexical.ts';
import { scorerOf } from './model.ts';
import type { Query } from './query-terms.ts';
import weights from './weights.json' with { type: 'json' };

let background: Background | undefined;
let scoreRow: ReturnType<typeof scorerOf> | undefined;

/** Second stage: the learned score of each candidate, above 0 and comparable within one answer. */
export function scoreCandidates(scope: Scope, query: Query, candidates: readonly Candidate[]): number[] {
  if (candidates.length === 0) return [];
  background ??= backgroundOf(decodeWords(weights.words));
  const gathered = gatherEvidence(scope, query, candidates);
  const rows = featureRows(query, gathered.evidence, gathered.weights, background);
  scoreRow ??= scorerOf(weights.model);
  const scores = rows.map(scoreRow);
  const highest = Math.max(...scores);
  return scores.map((score) => Math.exp(score - highest));
}
