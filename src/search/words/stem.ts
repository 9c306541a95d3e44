import { stem as porter2 } from 'porter2';

const CACHE_LIMIT = 4_000;
const cache = new Map<string, string>();
const ENGLISH_WORD = /^[a-z]{3,40}$/;

/** The stem of an English word; anything else comes back as it is. */
export function stem(word: string): string {
  const known = cache.get(word);
  if (known !== undefined) return known;
  const result = stemAnew(word);
  if (cache.size >= CACHE_LIMIT) cache.clear();
  cache.set(word, result);
  return result;
}

/** For callers that remember the stem themselves. */
export function stemAnew(word: string): string {
  return ENGLISH_WORD.test(word) ? porter2(word) : word;
}
