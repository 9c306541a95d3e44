import type { ToolKey } from './collection.ts';
import { compare } from './lexical.ts';
import { splitWords } from './words.ts';

/** Nobody speaks a longer name, and splitting a long query once more would cost as much as reading it. */
const MAX_SPOKEN_CHARACTERS = 1_000;

export interface Scored extends ToolKey {
  readonly score: number;
}

/**
 * Puts the tools that a query names before all others: group by group, within a group by score. Their scores are
 * lifted above the best of the rest, so that scores stay in the order of the hits.
 */
export function putFirst<T extends Scored>(
  groups: readonly (readonly ToolKey[])[],
  scored: readonly T[],
): Scored[] {
  const rest = new Map<string, Scored>(scored.map((hit) => [idOf(hit), hit]));
  const highest = Math.max(0, ...scored.map(({ score }) => score));
  const first: Scored[] = [];
  const named = new Set<string>();
  groups.forEach((group, place) => {
    const tier = highest + groups.length - place;
    const hits = group
      .filter((key) => !named.has(idOf(key)))
      .map((key) => rest.get(idOf(key)) ?? { server: key.server, name: key.name, score: 0 })
      .sort(byScoreThenName);
    for (const hit of hits) {
      named.add(idOf(hit));
      first.push({ ...hit, score: tier + hit.score / (1 + hit.score) });
    }
  });
  return [...first, ...scored.filter((hit) => !named.has(idOf(hit)))];
}

/** Tools whose name is the query itself in plain words: `create_issue` for "create issue". */
export function spokenNames<T extends ToolKey>(query: string, scored: readonly T[]): T[] {
  if (query.length > MAX_SPOKEN_CHARACTERS) return [];
  const words = splitWords(query);
  const text = words.join(' ');
  const letters = text.length - words.length + 1;
  // Splitting every name would cost more than the rest; most are told apart by their length.
  const isAsLong = ({ name }: ToolKey) => name.length >= letters && name.length <= letters + 2 * words.length;
  return text === '' ? [] : scored.filter((key) => isAsLong(key) && splitWords(key.name).join(' ') === text);
}

export function byScoreThenName(a: Scored, b: Scored): number {
  return b.score - a.score || compare(a.name, b.name) || compare(a.server, b.server);
}

export function idOf({ server, name }: ToolKey): string {
  return JSON.stringify([server, name]);
}
