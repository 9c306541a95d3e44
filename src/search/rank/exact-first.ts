import type { ToolKey } from '../index/collection.ts';
import { compare } from './candidate.ts';

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

export function byScoreThenName(a: Scored, b: Scored): number {
  return b.score - a.score || compare(a.name, b.name) || compare(a.server, b.server);
}

export function idOf({ server, name }: ToolKey): string {
  return JSON.stringify([server, name]);
}
