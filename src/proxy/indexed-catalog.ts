import { Catalog, type CatalogChange, type UpstreamSnapshot } from '../catalog/catalog.ts';
import { readTools } from '../catalog/catalog-tool.ts';
import type { ServerConfig } from '../config/config.ts';
import { type SearchMode, ToolIndex } from '../search/tool-index.ts';
import type { ServerLists } from '../upstream/lists/server-lists.ts';
import type { Known, WarmStart } from './warm-start.ts';

export interface IndexedCatalogOptions {
  readonly mode: SearchMode;
  readonly onchange: (change: CatalogChange) => void;
  /** Brings back and keeps what is known between sessions; nothing is kept where absent. */
  readonly warmStart: (catalog: Catalog) => WarmStart | undefined;
}

/** A search waits this long for tools that have just come to be indexed. */
const MAX_INDEX_WAIT_MS = 3000;

/** The catalog with what follows from it: the index, and what is kept for the next session. */
export class IndexedCatalog {
  readonly catalog: Catalog;
  readonly index: ToolIndex;
  readonly warmStart: WarmStart | undefined;
  readonly #onchange: (change: CatalogChange) => void;
  /** Per server the indexing that was begun last. */
  readonly #indexing = new Map<string, Promise<void>>();
  readonly #keeping = new Set<Promise<void>>();
  #pending = 0;

  constructor({ mode, onchange, warmStart }: IndexedCatalogOptions) {
    this.#onchange = onchange;
    this.index = new ToolIndex({ mode });
    this.catalog = new Catalog((change) => this.#changed(change));
    this.warmStart = warmStart(this.catalog);
  }

  /** Brings back what earlier sessions have left of servers. */
  load(servers: Iterable<ServerConfig>, initializeParams: string): ReadonlyMap<string, Known> {
    return this.warmStart?.load(servers, initializeParams) ?? new Map();
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

  /** Resolves when every tool of the catalog can be found, at the latest after a moment. */
  async indexed(): Promise<void> {
    if (this.#pending === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, MAX_INDEX_WAIT_MS);
    });
    await Promise.race([Promise.all(this.#indexing.values()), limit]);
    clearTimeout(timer);
  }

  /** Resolves when all that was said so far is kept. */
  async kept(): Promise<void> {
    await Promise.all(this.#keeping);
  }

  #keep(server: ServerConfig, snapshot: UpstreamSnapshot, initializeParams: string): void {
    const readAt = Date.now();
    const kept = (this.#indexing.get(server.name) ?? Promise.resolve())
      .then(() => {
        const index = this.index.serializeServer(server.name);
        const whole = index === undefined ? snapshot : { ...snapshot, index };
        this.warmStart?.keep(server, whole, initializeParams, readAt);
      })
      .finally(() => this.#keeping.delete(kept));
    this.#keeping.add(kept);
  }

  #changed(change: CatalogChange): void {
    const { server } = change;
    const snapshot = this.catalog.upstream(server)?.snapshot;
    if (snapshot === undefined) this.index.removeServer(server);
    else if (change.tools) this.#indexing.set(server, this.#indexTools(server, snapshot));
    this.#onchange(change);
  }

  /** Off the path of requests: searches see the server as it was until all its tools are indexed. */
  async #indexTools(server: string, { tools, index }: UpstreamSnapshot): Promise<void> {
    if (index !== undefined && this.index.restoreServer(server, index)) return;
    this.#pending++;
    const parsed = tools.map(({ definition }) => JSON.parse(definition) as unknown);
    await this.index.replaceServerInSlices(server, parsed).finally(() => this.#pending--);
  }
}
