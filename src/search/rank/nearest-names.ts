import type { ToolKey } from '../index/collection.ts';
import { compare } from './candidate.ts';

const MIN_SIMILARITY = 0.2;
const MAX_CHARACTERS = 200;

/** The tools whose names look most like a text, for when no word of it is known. */
export function nearestNames(text: string, tools: Iterable<ToolKey>, limit: number): ToolKey[] {
  const wanted = letterPairs(text.slice(0, MAX_CHARACTERS));
  const found: { key: ToolKey; similarity: number }[] = [];
  for (const key of tools) {
    const pairs = letterPairs(key.name.slice(0, MAX_CHARACTERS));
    let shared = 0;
    for (const pair of pairs) if (wanted.has(pair)) shared++;
    const similarity = (2 * shared) / Math.max(pairs.size + wanted.size, 1);
    if (similarity >= MIN_SIMILARITY) found.push({ key, similarity });
  }
  found.sort(
    (a, b) =>
      b.similarity - a.similarity || compare(a.key.name, b.key.name) || compare(a.key.server, b.key.server),
  );
  return found.slice(0, limit).map(({ key }) => key);
}

function letterPairs(text: string): Set<string> {
  const letters = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  const pairs = new Set<string>();
  for (let i = 0; i + 1 < letters.length; i++) pairs.add(letters.slice(i, i + 2));
  return pairs;
}
