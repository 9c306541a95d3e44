import { Collection, type ToolKey } from './collection.ts';
import { ExactNames } from './exact-names.ts';
import { type Candidate, findCandidates } from './lexical.ts';
import { readQuery } from './query-terms.ts';
import type { Segment } from './segment.ts';
import { SegmentBuilder } from './segment-builder.ts';

export interface Hit extends ToolKey {
  /** Comparable within one answer only. */
  readonly score: number;
}

export interface SearchOptions {
  /** Most hits to return. Default 10. */
  readonly limit?: number | undefined;
  /** Search only this server, or only these. Default: all. */
  readonly server?: string | readonly string[] | undefined;
}

export interface SearchAnswer {
  readonly hits: Hit[];
  /** Tools that have at least one of the query's words. */
  readonly matched: number;
  /** Tools that were searched. */
  readonly known: number;
}

const DEFAULT_LIMIT = 10;
const CANDIDATES = 150;

/** Searches the tools of many servers. Synchronous and deterministic: same tools and query, same hits. */
export class ToolIndex {
  readonly #collection = new Collection();
  readonly #exactNames = new ExactNames();

  get size(): number {
    return this.#collection.size;
  }

  /** Takes a server's tools in place of what was known of it. `tools` is a `tools/list` array, read leniently. */
  replaceServer(server: string, tools: readonly unknown[]): void {
    const builder = new SegmentBuilder(server);
    for (const tool of tools) builder.add(tool);
    this.#install(server, builder.finish());
  }

  removeServer(server: string): void {
    const segment = this.#collection.segmentOf(server);
    if (segment === undefined) return;
    this.#exactNames.remove(server, segment.names);
    this.#collection.remove(server);
  }

  search(query: string, options: SearchOptions = {}): Hit[] {
    return this.query(query, options).hits;
  }

  query(query: string, { limit = DEFAULT_LIMIT, server }: SearchOptions = {}): SearchAnswer {
    const includes = serverFilter(server);
    const known = this.#count(includes);
    if (query.trim() === '') {
      const hits = server === undefined ? [] : this.#listByName(includes);
      return { hits: hits.slice(0, limit), matched: hits.length, known };
    }
    const { terms } = readQuery(query, this.#collection.vocabulary);
    const { candidates, matched } = findCandidates(this.#collection, terms, CANDIDATES, includes);
    const hits = this.#putExactFirst(query, candidates.map(toHit), includes);
    return { hits: hits.slice(0, Math.max(limit, 0)), matched: Math.max(matched, hits.length), known };
  }

  #install(server: string, segment: Segment): void {
    this.removeServer(server);
    this.#collection.put(server, segment);
    this.#exactNames.add(server, segment.names);
  }

  #putExactFirst(query: string, scored: Hit[], includes: (server: string) => boolean): Hit[] {
    scored.sort(byScoreThenName);
    const groups = this.#exactNames.find(query);
    if (groups.length === 0) return scored;
    const highest = scored[0]?.score ?? 0;
    const first = new Map<string, Hit>();
    groups.forEach((group, place) => {
      const tier = highest + groups.length - place;
      const hits = group
        .filter((key) => includes(key.server))
        .map((key) => scored.find((hit) => isSame(hit, key)) ?? { ...key, score: 0 })
        .sort(byScoreThenName);
      for (const hit of hits) {
        const id = JSON.stringify([hit.server, hit.name]);
        if (!first.has(id)) first.set(id, { ...hit, score: tier + hit.score / (1 + hit.score) });
      }
    });
    const rest = scored.filter((hit) => !first.has(JSON.stringify([hit.server, hit.name])));
    return [...first.values(), ...rest];
  }

  #listByName(includes: (server: string) => boolean): Hit[] {
    const hits: Hit[] = [];
    for (const server of this.#collection.servers) {
      if (!includes(server)) continue;
      for (const name of this.#collection.segmentOf(server)?.names ?? [])
        hits.push({ server, name, score: 0 });
    }
    return hits.sort(byScoreThenName);
  }

  #count(includes: (server: string) => boolean): number {
    let count = 0;
    for (const server of this.#collection.servers) {
      if (includes(server)) count += this.#collection.segmentOf(server)?.names.length ?? 0;
    }
    return count;
  }
}

function toHit({ shelf, document, lexical }: Candidate): Hit {
  return { server: shelf.server, name: shelf.segment.names[document] ?? '', score: lexical };
}

function isSame(a: ToolKey, b: ToolKey): boolean {
  return a.name === b.name && a.server === b.server;
}

function byScoreThenName(a: Hit, b: Hit): number {
  return b.score - a.score || compare(a.name, b.name) || compare(a.server, b.server);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function serverFilter(server: string | readonly string[] | undefined): (server: string) => boolean {
  if (server === undefined) return () => true;
  const wanted = new Set(typeof server === 'string' ? [server] : server);
  return (name) => wanted.has(name);
}
