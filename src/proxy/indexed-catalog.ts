import { Catalog, type CatalogChange, type UpstreamSnapshot } from '../catalog/catalog.ts';
import { type CatalogTool, readTools } from '../catalog/catalog-tool.ts';
import type { ServerConfig } from '../config/config.ts';
import type { ToolIndex } from '../search/tool-index.ts';
import type { ToolIndexOptions } from '../search/tool-index-options.ts';
import type { ServerLists } from '../upstream/lists/server-lists.ts';
import type { Known, WarmStart } from './warm-start.ts';

/** The stages that rank, and whether meanings count. */
export type Ranking = Pick<ToolIndexOptions, 'mode' | 'semantic'>;

export interface IndexedCatalogOptions {
  readonly search: Ranking;
  readonly onchange: (change: CatalogChange) => void;
  /** Brings back and keeps what is known between runs; nothing is kept where absent. */
  readonly warmStart: WarmStart | undefined;
}

/** A search waits this long for tools that have just come to be indexed. */
const MAX_INDEX_WAIT_MS = 3000;

/**
 * The catalog with what follows from it: the index, and what is kept for the next run. The index is made when it
 * is first needed: loading search would hold up the answer to `initialize`, and a session may do without.
 */
export class IndexedCatalog {
  readonly catalog: Catalog;
  readonly #warmStart: WarmStart | undefined;
  #search: Ranking;
  #opening: Promise<ToolIndex> | undefined;
  #index: ToolIndex | undefined;
  readonly #onchange: (change: CatalogChange) => void;
  /** Per server the indexing that was begun last. */
  readonly #indexing = new Map<string, Promise<void>>();
  readonly #keeping = new Set<Promise<void>>();
  #pending = 0;

  constructor({ search, onchange, warmStart }: IndexedCatalogOptions) {
    this.#onchange = onchange;
    this.#search = search;
    this.catalog = new Catalog((change) => this.#changed(change));
    this.#warmStart = warmStart;
  }

  /** Takes over how search is configured now. */
  rankBy(search: Ranking): void {
    this.#search = search;
    this.#index?.rankBy(search);
  }

  /** Brings back what earlier runs have left of servers. */
  load(servers: Iterable<ServerConfig>, initializeParams: string): ReadonlyMap<string, Known> {
    return this.#warmStart?.load(this.catalog, servers, initializeParams) ?? new Map();
  }

  /** What servers declared when they were last seen, before anything is brought back. */
  capabilities(
    servers: Iterable<ServerConfig>,
    initializeParams: string,
  ): ReadonlyMap<string, ReadonlySet<string>> {
    return this.#warmStart?.capabilities(servers, initializeParams) ?? new Map();
  }

  /** Takes over what a server has said; `isFinal` is false for what may only be late or failed. */
  listed(server: ServerConfig, lists: ServerLists, isFinal: boolean): void {
    const { name } = server;
    const before = this.catalog.upstream(name)?.snapshot;
    // What could not be read, or may only be late, does not take the place of what is known.
    if (lists.tools === undefined || (!isFinal && before !== undefined)) return;
    const snapshot = {
      initializeResult: lists.initializeResult,
      tools: readTools(name, lists.tools),
      resources: lists.resources ?? before?.resources ?? [],
      resourceTemplates: lists.resourceTemplates ?? before?.resourceTemplates ?? [],
      prompts: lists.prompts ?? before?.prompts ?? [],
    };
    this.catalog.replaceUpstream(name, snapshot);
    if (isFinal) this.#keep(server, snapshot, lists.initializeParams);
  }

  /** Resolves with the index when every tool of the catalog can be found in it, at the latest after a moment. */
  async indexed(): Promise<ToolIndex> {
    const index = await this.#open();
    if (this.#pending === 0) return index;
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, MAX_INDEX_WAIT_MS);
    });
    await Promise.race([Promise.all(this.#indexing.values()), limit]);
    clearTimeout(timer);
    return index;
  }

  /** Resolves when all that was said so far is kept. */
  async kept(): Promise<void> {
    await Promise.all(this.#keeping);
  }

  #keep(server: ServerConfig, snapshot: UpstreamSnapshot, initializeParams: string): void {
    const readAt = Date.now();
    const kept = this.#open()
      .then(async (index) => {
        await this.#indexing.get(server.name);
        const bytes = index.serializeServer(server.name);
        const whole = bytes === undefined ? snapshot : { ...snapshot, index: bytes };
        this.#warmStart?.keep(server, whole, initializeParams, readAt);
      })
      .finally(() => this.#keeping.delete(kept));
    this.#keeping.add(kept);
  }

  #changed(change: CatalogChange): void {
    const { server } = change;
    const isGone = this.catalog.upstream(server) === undefined;
    if (this.#index !== undefined && (change.tools || isGone)) this.#follow(this.#index, server);
    this.#onchange(change);
  }

  async #open(): Promise<ToolIndex> {
    this.#opening ??= this.#load();
    return this.#opening;
  }

  async #load(): Promise<ToolIndex> {
    const { ToolIndex } = await import('../search/search.ts');
    const index = new ToolIndex(this.#search);
    this.#index = index;
    for (const server of this.catalog.servers) this.#follow(index, server);
    return index;
  }

  #follow(index: ToolIndex, server: string): void {
    const snapshot = this.catalog.upstream(server)?.snapshot;
    if (snapshot === undefined) index.removeServer(server);
    else this.#indexing.set(server, this.#indexTools(index, server, snapshot));
  }

  /** Off the path of requests: searches see the server as it was until all its tools are indexed. */
  async #indexTools(
    index: ToolIndex,
    server: string,
    { tools, index: kept }: UpstreamSnapshot,
  ): Promise<void> {
    if (kept !== undefined && index.restoreServer(server, kept)) return;
    this.#pending++;
    await index.replaceServerInSlices(server, parsed(tools)).finally(() => this.#pending--);
  }
}

/** Each parsed when it is its turn: a whole list at once could take long. */
function* parsed(tools: readonly CatalogTool[]): Generator<unknown> {
  for (const { definition } of tools) yield JSON.parse(definition);
}
