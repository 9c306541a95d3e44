import { endOfFirstSentence } from '../words/first-sentence.ts';

const CUT_MARK = ' […]';
const SENTENCE_END = /[.!?](?=\s)|\n|[。！？]/g;

/** A text no longer than `limit` characters, cut after a sentence where one ends, with a mark that it was cut. */
export function shorten(text: string, limit: number): string {
  const trimmed = text.trim();
  if (trimmed.length <= limit) return trimmed;
  let end = 0;
  for (const match of trimmed.slice(0, limit).matchAll(SENTENCE_END)) end = match.index + match[0].length;
  if (end < limit / 3) end = trimmed.lastIndexOf(' ', limit);
  if (end < limit / 3) end = limit;
  // Half a surrogate pair would not survive UTF-8.
  if (/[\ud800-\udbff]/.test(trimmed.charAt(end - 1))) end--;
  return trimmed.slice(0, end).trimEnd() + CUT_MARK;
}

export function firstSentence(text: string): string {
  const trimmed = text.trim();
  const end = endOfFirstSentence(trimmed);
  const sentence = trimmed.slice(0, end).trimEnd();
  return end < trimmed.length && !/[.!?。！？]$/.test(sentence) ? shorten(trimmed, end) : sentence;
}
