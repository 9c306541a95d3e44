import { stem } from '../../src/search/words/stem.ts';
import { type WordBackground, wordBackground } from '../../src/search/words/word-background.ts';
import { splitWords } from '../../src/search/words/words.ts';
import type { QuerySet } from './sets.ts';

/** Fewer tools and requests than this say nothing about a word. */
const MIN_OCCURRENCES = 3;

/**
 * Counts words over tools and development queries. Every set weighs the same, whatever its size, and a tool list
 * that serves two sets counts once.
 */
export function countWords(sets: readonly QuerySet[]): Map<string, WordBackground> {
  const toolLists = sets.filter((set, i) => sets.findIndex((other) => isSameTools(other, set)) === i);
  const inTools = shares(
    toolLists.map((set) => set.tools.map((tool) => `${tool.server} ${tool.name} ${tool.description ?? ''}`)),
  );
  const inRequests = shares(sets.map((set) => set.queries.map(({ query }) => query)));
  const words = new Map<string, WordBackground>();
  for (const word of new Set([...inTools.keys(), ...inRequests.keys()])) {
    const tools = inTools.get(word);
    const requests = inRequests.get(word);
    if ((tools?.count ?? 0) + (requests?.count ?? 0) < MIN_OCCURRENCES) continue;
    words.set(word, wordBackground(tools?.share ?? 0, requests?.share ?? 0));
  }
  return words;
}

function isSameTools(a: QuerySet, b: QuerySet): boolean {
  return JSON.stringify(a.tools[0]) === JSON.stringify(b.tools[0]) && a.tools.length === b.tools.length;
}

function shares(lists: readonly (readonly string[])[]): Map<string, { share: number; count: number }> {
  const words = new Map<string, { share: number; count: number }>();
  for (const texts of lists) {
    for (const text of texts) {
      for (const word of new Set(splitWords(text.slice(0, 1_000)).map(stem))) {
        const known = words.get(word) ?? { share: 0, count: 0 };
        known.share += 1 / texts.length / lists.length;
        known.count++;
        words.set(word, known);
      }
    }
  }
  return words;
}
