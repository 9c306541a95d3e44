import { lettersOf, type Spelling, type Vocabulary } from '../index/vocabulary.ts';
import { stem } from '../words/stem.ts';
import type { Alternative } from './alternative.ts';

const TYPO_DISCOUNT = 0.6;
const PREFIX_DISCOUNT = 0.5;
const MIN_TYPO_LENGTH = 4;
const LONG_WORD = 8;
const MIN_PREFIX_LENGTH = 3;
const MAX_REPAIR_LENGTH = 24;
const MAX_ALTERNATIVES = 3;
const HAS_DIGIT = /\p{N}/u;

/** Terms that an unknown word may have meant: one or two slips away, begun, or written in two words. */
export function repairWord(word: string, vocabulary: Vocabulary): Alternative[] {
  if (word.length > MAX_REPAIR_LENGTH || HAS_DIGIT.test(word)) return [];
  const split = splitInTwo(word, vocabulary);
  if (split.length > 0) return split;
  const found: { term: string; slips: number }[] = [];
  const begun: string[] = [];
  const limit = word.length < MIN_TYPO_LENGTH ? 0 : word.length < LONG_WORD ? 1 : 2;
  const spellings = [...new Set([word, stem(word)])].map((text) => ({ text, letters: lettersOf(text) }));
  const wordLetters = lettersOf(word);
  for (const letter of new Set(word.slice(0, 2))) {
    for (const spelling of vocabulary.startingWith(letter)) consider(spelling);
  }
  found.sort(
    (a, b) =>
      a.slips - b.slips ||
      vocabulary.frequency(b.term) - vocabulary.frequency(a.term) ||
      (a.term < b.term ? -1 : 1),
  );
  const typos = found.slice(0, MAX_ALTERNATIVES).map(({ term, slips }): Alternative => {
    return { term, discount: TYPO_DISCOUNT / Math.max(slips, 1), kind: 'typo' };
  });
  const prefixes = begun
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .slice(0, MAX_ALTERNATIVES)
    .map((term): Alternative => ({ term, discount: PREFIX_DISCOUNT, kind: 'prefix' }));
  return [...typos, ...prefixes];

  function consider({ term, length, letters }: Spelling): void {
    if ((letters & wordLetters) === wordLetters && word.length >= MIN_PREFIX_LENGTH && term.startsWith(word))
      begun.push(term);
    if (limit === 0 || Math.abs(length - word.length) > limit + 2) return;
    let slips = Number.POSITIVE_INFINITY;
    for (const spelling of spellings) {
      // A slip changes at most two letters of the set, which rules out nearly all terms cheaply.
      if (countBits(letters ^ spelling.letters) > 2 * limit) continue;
      slips = Math.min(slips, countSlips(spelling.text, term, limit));
    }
    if (slips <= limit) found.push({ term, slips });
  }
}

function splitInTwo(word: string, vocabulary: Vocabulary): Alternative[] {
  for (let i = 3; i <= word.length - 3; i++) {
    const left = stem(word.slice(0, i));
    if (!vocabulary.has(left)) continue;
    const right = stem(word.slice(i));
    if (!vocabulary.has(right)) continue;
    return [left, right].map((term) => ({ term, discount: TYPO_DISCOUNT, kind: 'joined' }));
  }
  return [];
}

function countBits(value: number): number {
  let bits = 0;
  for (let rest = value; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}

const ROW = 64;
const rows = [new Uint8Array(ROW), new Uint8Array(ROW), new Uint8Array(ROW)];

/** Insertions, deletions, replacements and swaps of neighbours between two words; more than `limit` is Infinity. */
export function countSlips(a: string, b: string, limit: number): number {
  const isTooFar = Math.abs(a.length - b.length) > limit || b.length >= ROW;
  if (isTooFar) return Number.POSITIVE_INFINITY;
  let [beforeLast, last, row] = rows as [Uint8Array, Uint8Array, Uint8Array];
  for (let j = 0; j <= b.length; j++) last[j] = j;
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    let least = i;
    const letter = a.charCodeAt(i - 1);
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (letter === b.charCodeAt(j - 1) ? 0 : 1);
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced);
      const isSwapped =
        i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (isSwapped) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > limit) return Number.POSITIVE_INFINITY;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  const slips = last[b.length] ?? Number.POSITIVE_INFINITY;
  return slips <= limit ? slips : Number.POSITIVE_INFINITY;
}
