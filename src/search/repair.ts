import type { Alternative } from './query-terms.ts';
import { stem } from './stem.ts';
import type { Vocabulary } from './vocabulary.ts';

const TYPO_DISCOUNT = 0.6;
const PREFIX_DISCOUNT = 0.5;
const MIN_TYPO_LENGTH = 4;
const MIN_PREFIX_LENGTH = 3;
const MAX_REPAIR_LENGTH = 24;
const MAX_ALTERNATIVES = 3;

/** Terms that an unknown word may have meant: one or two slips away, begun, or written in two words. */
export function repairWord(word: string, vocabulary: Vocabulary): Alternative[] {
  if (word.length > MAX_REPAIR_LENGTH) return [];
  const split = splitInTwo(word, vocabulary);
  if (split.length > 0) return split;
  const found: { term: string; slips: number }[] = [];
  const begun: string[] = [];
  const allowed = word.length < MIN_TYPO_LENGTH ? 0 : word.length < 8 ? 1 : 2;
  const stemmed = stem(word);
  for (const term of candidates(word, vocabulary)) {
    if (word.length >= MIN_PREFIX_LENGTH && term.startsWith(word)) begun.push(term);
    if (allowed === 0 || Math.abs(term.length - word.length) > allowed + 1) continue;
    const slips = Math.min(countSlips(word, term, allowed), countSlips(stemmed, term, allowed));
    if (slips <= allowed) found.push({ term, slips });
  }
  found.sort(
    (a, b) =>
      a.slips - b.slips ||
      vocabulary.frequency(b.term) - vocabulary.frequency(a.term) ||
      (a.term < b.term ? -1 : 1),
  );
  const typos = found.slice(0, MAX_ALTERNATIVES).map(({ term, slips }): Alternative => {
    return { term, discount: TYPO_DISCOUNT / slips, kind: 'typo' };
  });
  const prefixes = begun
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .slice(0, MAX_ALTERNATIVES)
    .map((term): Alternative => ({ term, discount: PREFIX_DISCOUNT, kind: 'prefix' }));
  return [...typos, ...prefixes];
}

function candidates(word: string, vocabulary: Vocabulary): Iterable<string> {
  const second = word.charAt(1);
  const same = vocabulary.startingWith(word.charAt(0));
  return second === '' || second === word.charAt(0) ? same : [...same, ...vocabulary.startingWith(second)];
}

function splitInTwo(word: string, vocabulary: Vocabulary): Alternative[] {
  for (let i = 3; i <= word.length - 3; i++) {
    const left = stem(word.slice(0, i));
    const right = stem(word.slice(i));
    if (!vocabulary.has(left) || !vocabulary.has(right)) continue;
    return [left, right].map((term) => ({ term, discount: TYPO_DISCOUNT, kind: 'joined' }));
  }
  return [];
}

/** Insertions, deletions, replacements and swaps of neighbours between two words; more than `limit` is Infinity. */
export function countSlips(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      const swapped =
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (swapped) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
      if (cost < least) least = cost;
    }
    if (least > limit) return Number.POSITIVE_INFINITY;
    beforeLast = last;
    last = row;
  }
  const slips = last[b.length] ?? Number.POSITIVE_INFINITY;
  return slips <= limit ? slips : Number.POSITIVE_INFINITY;
}
