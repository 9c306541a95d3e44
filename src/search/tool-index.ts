import { setImmediate } from 'node:timers/promises';
import { Collection, type ToolKey } from './index/collection.ts';
import type { Segment } from './index/segment.ts';
import { SegmentBuilder } from './index/segment-builder.ts';
import { decodeSegment, encodeSegment } from './index/segment-codec.ts';
import { DIMENSIONS, tokenTable } from './meaning/static-vectors.ts';
import { ExactNames } from './query/exact-names.ts';
import { type Query, readQuery } from './query/query-terms.ts';
import type { Candidate } from './rank/candidate.ts';
import { coverageOf, unknownWords } from './rank/coverage.ts';
import { likenessOf, rivalsOf } from './rank/doubts.ts';
import { byScoreThenName, idOf, putFirst } from './rank/exact-first.ts';
import { type Explanation, explainWords, keyOf } from './rank/explain.ts';
import type { Scope } from './rank/lexical.ts';
import type { Meaning } from './rank/nearest-meanings.ts';
import { nearestNames } from './rank/nearest-names.ts';
import { scoreCandidates } from './rank/rerank.ts';
import { makeShortlist } from './rank/shortlist.ts';
import { staticMeaning } from './rank/static-meaning.ts';
import type { Hit, SearchAnswer } from './search-answer.ts';
import type { SearchMode, SearchOptions, Semantic, ToolIndexOptions } from './tool-index-options.ts';

interface Ranking {
  readonly read: Query;
  readonly candidates: readonly Candidate[];
  readonly learned: readonly number[] | undefined;
  readonly matched: number;
  readonly named: readonly (readonly ToolKey[])[];
  readonly meaning: Meaning | undefined;
  readonly hits: Hit[];
}

const DEFAULT_LIMIT = 10;
const SLICE_MS = 3;

/** Searches the tools of many servers. Synchronous and deterministic: same tools and query, same hits. */
export class ToolIndex {
  #mode: SearchMode = 'learned';
  #semantic: Semantic = 'static';
  readonly #collection = new Collection();
  readonly #exactNames = new ExactNames();
  /** Per server the latest change, so that one overtaken while being sliced is dropped. */
  readonly #changes = new Map<string, number>();
  #change = 0;

  constructor(options: ToolIndexOptions = {}) {
    this.rankBy(options);
  }

  /** Changes how it ranks from now on. What was indexed while meanings were off has none until it is indexed again. */
  rankBy({ mode = 'learned', semantic = 'static' }: ToolIndexOptions): void {
    this.#mode = mode;
    this.#semantic = semantic;
  }

  /** How many tools are known. */
  get size(): number {
    return this.#collection.size;
  }

  get servers(): string[] {
    return this.#collection.servers.sort((a, b) => (a < b ? -1 : 1));
  }

  /** Takes a server's tools in place of what was known of it. `tools` is a `tools/list` array, read leniently. */
  replaceServer(server: string, tools: readonly unknown[]): void {
    const builder = this.#builderFor(server);
    for (const tool of tools) builder.add(tool);
    this.#install(server, builder.finish());
  }

  /** As `replaceServer`, in slices of a few milliseconds; until it resolves, searches see the server as it was. */
  async replaceServerInSlices(server: string, tools: Iterable<unknown>): Promise<void> {
    const change = this.#noteChange(server);
    const builder = this.#builderFor(server);
    let sliceEnd = performance.now() + SLICE_MS;
    for (const tool of tools) {
      builder.add(tool);
      if (performance.now() < sliceEnd) continue;
      await setImmediate();
      if (this.#changes.get(server) !== change) return;
      sliceEnd = performance.now() + SLICE_MS;
    }
    this.#install(server, builder.finish());
  }

  removeServer(server: string): void {
    this.#noteChange(server);
    const segment = this.#collection.segmentOf(server);
    if (segment === undefined) return;
    this.#exactNames.remove(server, segment.names);
    this.#collection.remove(server);
  }

  /** The server's part of the index as bytes, to start from next time; undefined for an unknown server. */
  serializeServer(server: string): Uint8Array | undefined {
    const segment = this.#collection.segmentOf(server);
    return segment === undefined ? undefined : encodeSegment(segment);
  }

  /** Puts back what `serializeServer` gave. False when the bytes are damaged or of another version. */
  restoreServer(server: string, bytes: Uint8Array): boolean {
    const segment = decodeSegment(bytes);
    if (segment === undefined) return false;
    // Kept while meanings were switched off, or with vectors of another size.
    const wanted = this.#semantic === 'off' ? 0 : segment.names.length * DIMENSIONS;
    if (segment.vectors.length < wanted) return false;
    this.#install(server, segment);
    return true;
  }

  /** The hits for a query, best first. An empty query with `server` lists that server's tools by name. */
  search(query: string, options: SearchOptions = {}): Hit[] {
    return query.trim() === ''
      ? this.query(query, options).hits
      : this.#rank(query, this.#scope(options.server), options.limit ?? DEFAULT_LIMIT).hits;
  }

  /** The hits with what an honest answer says beside them. */
  query(query: string, { limit = DEFAULT_LIMIT, server }: SearchOptions = {}): SearchAnswer {
    const scope = this.#scope(server);
    const known = this.#count(scope);
    if (query.trim() === '') {
      const hits = server === undefined ? [] : this.#listByName(scope);
      return {
        hits: best(hits, limit),
        matched: hits.length,
        known,
        unknownWords: [],
        coverage: 1,
        likeness: undefined,
        rivals: [],
      };
    }
    const { read, candidates, named, hits, matched, meaning } = this.#rank(query, scope, limit);
    return {
      hits,
      matched: Math.max(matched, hits.length),
      known,
      unknownWords: unknownWords(this.#collection.vocabulary, read),
      coverage: named.length > 0 ? 1 : coverageOf(scope, read, candidates, hits[0]),
      likeness: named.length > 0 ? 1 : likenessOf(meaning, candidates, hits[0]),
      rivals: named.length > 0 ? [] : rivalsOf(hits, query),
    };
  }

  /** The hits with the words, fields and scores that put them there. */
  explain(query: string, { limit = DEFAULT_LIMIT, server }: SearchOptions = {}): Explanation[] {
    const scope = this.#scope(server);
    const { read, candidates, learned, named, hits } = this.#rank(query, scope, limit);
    const words = explainWords(scope, read, candidates);
    const placeOf = new Map(candidates.map((candidate, place) => [idOf(keyOf(candidate)), place]));
    const namedIds = new Set(named.flat().map(idOf));
    return hits.map((hit) => {
      const place = placeOf.get(idOf(hit)) ?? -1;
      return {
        ...hit,
        isNamed: namedIds.has(idOf(hit)),
        lexical: candidates[place]?.lexical ?? 0,
        learned: learned?.[place],
        words: words[place] ?? [],
      };
    });
  }

  /** Tools whose names look most like the query, for when nothing matches. */
  nearest(query: string, { limit = DEFAULT_LIMIT, server }: SearchOptions = {}): ToolKey[] {
    return nearestNames(query, this.#tools(this.#scope(server)), limit);
  }

  #rank(query: string, scope: Scope, limit: number): Ranking {
    const read = readQuery(query, this.#collection.vocabulary, this.#mode !== 'words');
    const named = this.#exactNames.find(query, scope.includes);
    const isLearned = this.#mode === 'learned';
    const meaning = isLearned && this.#semantic !== 'off' ? staticMeaning(query) : undefined;
    const { top, rest, matched } = makeShortlist(scope, read.terms, named.flat(), limit, meaning);
    const learned = isLearned ? scoreCandidates(scope, read, top, meaning) : undefined;
    const candidates = [...top, ...rest];
    const scored = candidates.map((candidate, place) => {
      const { server, name } = keyOf(candidate);
      // Beyond the second stage's reach the first stage's order stays, below everything it ranked.
      const score = learned === undefined ? candidate.lexical : (learned[place] ?? 1e-30 / (1 + place));
      return { server, name, score };
    });
    scored.sort(byScoreThenName);
    const hits = named.length > 0 ? putFirst(named, scored) : scored;
    return { read, candidates, learned, matched, named, meaning, hits: best(hits, limit) };
  }

  #builderFor(server: string): SegmentBuilder {
    return new SegmentBuilder(server, this.#semantic === 'off' ? undefined : tokenTable());
  }

  #install(server: string, segment: Segment): void {
    this.removeServer(server);
    this.#collection.put(server, segment);
    this.#exactNames.add(server, segment.names);
  }

  #noteChange(server: string): number {
    this.#change++;
    this.#changes.set(server, this.#change);
    return this.#change;
  }

  #scope(server: string | readonly string[] | undefined): Scope {
    const wanted = server === undefined ? undefined : new Set(typeof server === 'string' ? [server] : server);
    return { collection: this.#collection, includes: (name) => wanted?.has(name) ?? true };
  }

  #count({ includes }: Scope): number {
    const searched = this.#collection.shelves().filter(({ server }) => includes(server));
    return searched.reduce((sum, { segment }) => sum + segment.names.length, 0);
  }

  #tools({ includes }: Scope): ToolKey[] {
    const searched = this.#collection.shelves().filter(({ server }) => includes(server));
    return searched.flatMap(({ server, segment }) => segment.names.map((name) => ({ server, name })));
  }

  #listByName(scope: Scope): Hit[] {
    return this.#tools(scope)
      .map((key) => ({ ...key, score: 0 }))
      .sort(byScoreThenName);
  }
}

/** The first `limit`; none for a limit below one. */
function best(hits: Hit[], limit: number): Hit[] {
  return hits.slice(0, Math.max(limit, 0));
}
