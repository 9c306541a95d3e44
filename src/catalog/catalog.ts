import { type CatalogTool, readTools } from './catalog-tool.ts';

/** What an upstream offers: its `initialize` result and its lists, every item as the JSON text it wrote. */
export interface UpstreamSnapshot {
  readonly initializeResult: string;
  readonly tools: readonly string[];
  readonly resources: readonly string[];
  readonly resourceTemplates: readonly string[];
  readonly prompts: readonly string[];
}

export interface CatalogUpstream {
  readonly name: string;
  readonly snapshot: UpstreamSnapshot;
  /** Its usable tools by name, in its own order. */
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

  upstream(server: string): CatalogUpstream | undefined {
    return this.#upstreams.get(server);
  }

  tool(server: string, name: string): CatalogTool | undefined {
    return this.#upstreams.get(server)?.tools.get(name);
  }

  replaceUpstream(server: string, snapshot: UpstreamSnapshot): void {
    const before = this.#upstreams.get(server)?.snapshot;
    const areToolsNew = before === undefined || !isSame(before.tools, snapshot.tools);
    const tools = areToolsNew ? readTools(server, snapshot.tools) : this.#toolsOf(server);
    this.#upstreams.set(server, { name: server, snapshot, tools });
    this.#announce(server, before, snapshot);
  }

  removeUpstream(server: string): void {
    const before = this.#upstreams.get(server)?.snapshot;
    if (this.#upstreams.delete(server)) this.#announce(server, before, undefined);
  }

  #toolsOf(server: string): ReadonlyMap<string, CatalogTool> {
    return this.#upstreams.get(server)?.tools ?? new Map();
  }

  #announce(server: string, before: UpstreamSnapshot | undefined, after: UpstreamSnapshot | undefined): void {
    const differs = (list: (snapshot: UpstreamSnapshot) => readonly string[]) =>
      !isSame(before === undefined ? [] : list(before), after === undefined ? [] : list(after));
    const change = {
      server,
      tools: differs((snapshot) => snapshot.tools),
      resources: differs((snapshot) => [...snapshot.resources, ...snapshot.resourceTemplates]),
      prompts: differs((snapshot) => snapshot.prompts),
    };
    if (change.tools || change.resources || change.prompts || before === undefined) this.#onchange(change);
  }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index]);
}
