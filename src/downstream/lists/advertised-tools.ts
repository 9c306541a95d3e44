import type { Catalog } from '../../catalog/catalog.ts';
import type { CatalogTool } from '../../catalog/catalog-tool.ts';
import { exposedNames, toolByQualifiedName } from '../../catalog/exposed-name.ts';
import { resolvePins, serversOfPin } from '../../catalog/pins.ts';
import { META_TOOLS } from '../meta-tools/meta-tools.ts';
import { isOnTheWay } from '../on-the-way.ts';
import type { UpstreamViews } from '../upstream-view.ts';
import { alwaysLoaded } from './always-loaded.ts';
import { listedDefinition } from './listed-definition.ts';
import { nameServers } from './server-names.ts';

export interface AdvertisedToolsOptions {
  readonly catalog: Catalog;
  readonly upstreams: UpstreamViews;
  /** Names that the client has seen, and whose tools they were. */
  readonly holders: Map<string, string>;
  /** Pins as configured now. */
  readonly pinned: () => readonly string[];
}

/** The tools the client sees listed: the meta-tools and the pinned ones. Derived from the catalog, never stored. */
export class AdvertisedTools {
  readonly #options: AdvertisedToolsOptions;
  #pinned: ReadonlyMap<string, CatalogTool> = new Map();
  #unmatched: readonly string[] = [];
  #ambiguous: readonly string[] = [];
  #list = '';

  constructor(options: AdvertisedToolsOptions) {
    this.#options = options;
    this.refresh();
  }

  /** The `tools` array of `tools/list`, as JSON text. */
  get list(): string {
    return this.#list;
  }

  /** Pins that stand for no known tool. */
  get unmatchedPins(): readonly string[] {
    return this.#unmatched;
  }

  /** Pins without a server that stand for tools of several. */
  get ambiguousPins(): readonly string[] {
    return this.#ambiguous;
  }

  /** The client has read the list: what a name in it stands for does not change any more. */
  clientHasRead(): void {
    for (const [name, tool] of this.#pinned)
      if (name === tool.name) this.#options.holders.set(name, tool.server);
  }

  /** Derives the list anew; the catalog or the configuration has changed. */
  refresh(): void {
    const { catalog, upstreams, pinned } = this.#options;
    const servers = [...upstreams.keys()];
    const { tools, unmatched, ambiguous } = resolvePins(pinned(), catalog, servers);
    const reserved = new Set(META_TOOLS.map((tool) => tool.name));
    this.#pinned = exposedNames(tools, { reserved, servers, holders: this.#options.holders });
    this.#unmatched = unmatched;
    this.#ambiguous = ambiguous;
    const definitions = [...this.#pinned].map(([name, tool]) =>
      alwaysLoaded(listedDefinition(tool.definition, name)),
    );
    const metaTools = META_TOOLS.map((tool) => JSON.stringify(tool.define(nameServers(upstreams))));
    this.#list = `[${[...metaTools, ...definitions].join(',')}]`;
  }

  /** Whether a pin is without a tool so far that a server on its way may still bring. */
  get isIncomplete(): boolean {
    const { catalog, upstreams } = this.#options;
    const servers = [...upstreams.keys()];
    return this.#unmatched.some((pin) =>
      serversOfPin(pin, servers).some((server) => isOnTheWay(upstreams.get(server), catalog)),
    );
  }

  /** The tool a direct `tools/call` means: a listed name, or any known tool as `server__name`. */
  find(called: string): CatalogTool | undefined {
    return this.#pinned.get(called) ?? toolByQualifiedName(called, this.#allTools(), this.#unlisted());
  }

  /** Servers that may have a tool nobody knows yet under this name: theirs by prefix, or pinned by that name. */
  possibleOwners(called: string): string[] {
    const { catalog, upstreams, pinned } = this.#options;
    const servers = [...upstreams.keys()];
    const pins = pinned().filter((pin) => pin === called || pin.endsWith(`/${called}`));
    const ofPins = new Set(pins.flatMap((pin) => serversOfPin(pin, servers)));
    return servers.filter(
      (server) =>
        catalog.upstream(server) === undefined && (ofPins.has(server) || called.startsWith(`${server}__`)),
    );
  }

  #unlisted(): string[] {
    const { catalog, upstreams } = this.#options;
    return [...upstreams.keys()].filter((server) => catalog.upstream(server) === undefined);
  }

  *#allTools(): Iterable<CatalogTool> {
    for (const server of this.#options.upstreams.keys()) {
      yield* this.#options.catalog.upstream(server)?.tools.values() ?? [];
    }
  }
}
