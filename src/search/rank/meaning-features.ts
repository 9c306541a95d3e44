import { cosine } from '../meaning/unit-vector.ts';
import type { Candidate } from './candidate.ts';
import type { Meaning } from './nearest-meanings.ts';

export const MEANING_FEATURES = [
  'meaning',
  'meaningOfBest',
  'meaningSpread',
  'meaningPlace',
  'clauseMeaningOfBest',
  'clauseMeaningSpread',
  'clauseMeaningPlace',
] as const;

const NOTHING: readonly number[] = MEANING_FEATURES.map(() => 0);

/** For each candidate how near its meaning is to the query's, by itself and among the candidates. */
export function readMeanings(
  candidates: readonly Candidate[],
  meaning: Meaning | undefined,
): (readonly number[])[] {
  if (meaning === undefined || candidates.length === 0) return candidates.map(() => NOTHING);
  const { query, vectorsOf } = meaning;
  const whole = compareAll(query.whole);
  const clauses = query.clauses.map(compareAll);
  return candidates.map((_, i) => {
    const { value = 0, ofBest = 0, spread = 0, place = 0 } = whole[i] ?? {};
    const best = { ofBest: clauses.length === 0 ? 0 : -1, spread: clauses.length === 0 ? 0 : -1, place: 0 };
    for (const clause of clauses) {
      best.ofBest = Math.max(best.ofBest, clause[i]?.ofBest ?? -1);
      best.spread = Math.max(best.spread, clause[i]?.spread ?? -1);
      best.place = Math.max(best.place, clause[i]?.place ?? 0);
    }
    return [value, ofBest, spread, place, best.ofBest, best.spread, best.place];
  });

  function compareAll(vector: Int8Array): Likeness[] {
    const values = candidates.map(({ shelf, document }) => {
      const vectors = vectorsOf(shelf);
      return vectors.length === 0 ? 0 : cosine(vector, vectors, document * vector.length);
    });
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    const sorted = Float64Array.from(values).sort().reverse();
    return values.map((value) => ({
      value,
      ofBest: value - (sorted[0] ?? 0),
      spread: (value - mean) / (Math.sqrt(variance) + 0.02) / 4,
      place: 1 / (1 + sorted.indexOf(value)),
    }));
  }
}

interface Likeness {
  readonly value: number;
  readonly ofBest: number;
  /** In standard deviations from the mean, a quarter of them. */
  readonly spread: number;
  readonly place: number;
}
