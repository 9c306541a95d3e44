import type { CatalogTool } from './catalog-tool.ts';

/** What an upstream offers: its `initialize` result, its usable tools and its lists, as the JSON text it wrote. */
export interface UpstreamSnapshot {
  readonly initializeResult: string;
  /** In its own order, each name once. */
  readonly tools: readonly CatalogTool[];
  readonly resources: readonly string[];
  readonly resourceTemplates: readonly string[];
  readonly prompts: readonly string[];
  /** The searchable form of these tools, made by an earlier session; opaque here. */
  readonly index?: Uint8Array;
}

export interface CatalogUpstream {
  readonly name: string;
  readonly snapshot: UpstreamSnapshot;
  /** Its tools by name, in its own order. */
  readonly tools: ReadonlyMap<string, CatalogTool>;
}

/** Which part of an upstream's entry is new, or gone. */
export interface CatalogChange {
  readonly server: string;
  readonly tools: boolean;
  readonly resources: boolean;
  readonly prompts: boolean;
}

/**
 * All that is known of the upstreams, by server name: the ground state. The index and what the client sees listed
 * are derived from it. First load, list changes and restarts all end in `replaceUpstream`.
 */
export class Catalog {
  readonly #upstreams = new Map<string, CatalogUpstream>();
  readonly #onchange: (change: CatalogChange) => void;

  constructor(onchange: (change: CatalogChange) => void) {
    this.#onchange = onchange;
  }

  /** Number of usable tools of all upstreams. */
  get toolCount(): number {
    let count = 0;
    for (const { tools } of this.#upstreams.values()) count += tools.size;
    return count;
  }

  get servers(): Iterable<string> {
    return this.#upstreams.keys();
  }

  upstream(server: string): CatalogUpstream | undefined {
    return this.#upstreams.get(server);
  }

  tool(server: string, name: string): CatalogTool | undefined {
    return this.#upstreams.get(server)?.tools.get(name);
  }

  replaceUpstream(server: string, snapshot: UpstreamSnapshot): void {
    const before = this.#upstreams.get(server)?.snapshot;
    const tools = new Map(snapshot.tools.map((tool) => [tool.name, tool]));
    this.#upstreams.set(server, { name: server, snapshot, tools });
    this.#announce(server, before, snapshot);
  }

  removeUpstream(server: string): void {
    const before = this.#upstreams.get(server)?.snapshot;
    if (this.#upstreams.delete(server)) this.#announce(server, before, undefined);
  }

  #announce(server: string, before: UpstreamSnapshot | undefined, after: UpstreamSnapshot | undefined): void {
    const change = {
      server,
      tools: !isSame(before?.tools, after?.tools, ({ definition }) => definition),
      resources:
        !isSame(before?.resources, after?.resources) ||
        !isSame(before?.resourceTemplates, after?.resourceTemplates),
      prompts: !isSame(before?.prompts, after?.prompts),
    };
    if (change.tools || change.resources || change.prompts || before === undefined) this.#onchange(change);
  }
}

/** Whether two lists hold the same texts; texts are made only where the lengths leave it open. */
function isSame<Item>(
  a: readonly Item[] = [],
  b: readonly Item[] = [],
  textOf: (item: Item) => unknown = (item) => item,
): boolean {
  return a.length === b.length && a.every((item, index) => textOf(item) === textOf(b[index] as Item));
}
