import { lettersOf, type Spelling, type Vocabulary } from '../index/vocabulary.ts';
import { stem } from '../words/stem.ts';
import type { Alternative } from './alternative.ts';
import { countSlips } from './slips.ts';

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
