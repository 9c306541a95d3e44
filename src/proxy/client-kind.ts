import { isDeepStrictEqual } from 'node:util';
import type { Catalog, CatalogChange, CatalogUpstream } from '../catalog/catalog.ts';
import type { Config, ServerConfig } from '../config/config.ts';
import { runOf } from '../config/server-identity.ts';
import { capabilityNames } from '../mcp/capabilities.ts';
import { type Access, type Caller, FULL_ACCESS } from '../policy/access.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { AccessView } from './access-view.ts';
import { IndexedCatalog } from './indexed-catalog.ts';
import { KindScope } from './kind-scope.ts';
import type { UpstreamFactory } from './upstream-factory.ts';
import { UpstreamSet } from './upstream-set.ts';
import type { Known, WarmStart } from './warm-start.ts';

/** What becomes of one upstream, told to whoever it runs for. */
export interface UpstreamEvents {
  readonly onready: (server: string) => void;
  readonly onstatus: () => void;
}

export interface ClientKindOptions {
  readonly config: Config;
  /** The `params` of `initialize` of the first of these clients, JSON text: with them starts what nobody asked for. */
  readonly initializeParams: string;
  readonly warmStart: WarmStart | undefined;
  /** What clients of other kinds see of a server, for when nothing better is known. */
  readonly elsewhere: (server: string) => Catalog | undefined;
  readonly upstreams: UpstreamFactory;
  /** The last of these clients has left. */
  readonly onempty: () => void;
}

/**
 * All clients that declare the same. A server may show them other tools than it shows others, so they have a catalog,
 * an index and processes of their own, which they use together.
 */
export class ClientKind {
  readonly initializeParams: string;
  readonly tools: IndexedCatalog;
  readonly #options: ClientKindOptions;
  readonly #shared: UpstreamSet;
  readonly #known = new Map<string, Known>();
  readonly #scopes = new Set<KindScope>();
  /** By the key of the access. */
  readonly #views = new Map<string, AccessView>();
  #config: Config;
  #isLoaded = false;
  #isStarted = false;

  constructor(options: ClientKindOptions) {
    const { config, initializeParams, warmStart } = options;
    this.#options = options;
    this.#config = config;
    this.initializeParams = initializeParams;
    this.tools = new IndexedCatalog({
      search: config.search,
      onchange: (change) => this.#catalogChanged(change),
      warmStart,
    });
    this.#shared = this.createSet({
      onready: (server) => this.#each((scope) => scope.ready(server)),
      onstatus: () => this.#each((scope) => scope.statusChanged()),
    });
    this.#shared.configure(sharedOf(config));
  }

  get config(): Config {
    return this.#config;
  }

  /** The upstreams that all of these clients use together. */
  get upstreams(): ReadonlyMap<string, Upstream> {
    return this.#shared.byName;
  }

  get isEmpty(): boolean {
    return this.#scopes.size === 0;
  }

  /** Upstreams that run for these clients, those of single sessions included. */
  *running(): Iterable<Upstream> {
    yield* this.#shared.byName.values();
    for (const scope of this.#scopes) yield* scope.own.values();
  }

  /** Ends what runs of a server and forgets what failed; the next use starts it afresh. */
  async restart(name: string): Promise<void> {
    const upstreams = [...this.running()].filter((upstream) => upstream.name === name);
    await Promise.all(upstreams.map((upstream) => upstream.restart(this.initializeParams)));
  }

  /** Tries those servers again that wait for a login. */
  loggedIn(): void {
    for (const upstream of this.running()) upstream.loggedIn();
  }

  /** A set of upstreams that start with what is known of their servers. */
  createSet(events: UpstreamEvents): UpstreamSet {
    return new UpstreamSet({
      create: (server) => this.#options.upstreams.create(server, this, events),
      knownOf: (name) => this.#known.get(name),
      initializeParams: this.initializeParams,
    });
  }

  /**
   * @param initializeParams what the client that comes says of itself
   * @param caller who it is, where several may come
   */
  enter(initializeParams: string, caller?: Caller, access: Access = FULL_ACCESS): KindScope {
    const view = access.isRestricted ? this.#viewFor(access) : undefined;
    const scope = new KindScope({ kind: this, initializeParams, caller, access, view });
    this.#scopes.add(scope);
    view?.scopes.add(scope);
    return scope;
  }

  /** Stops what ran for this client alone; bounded. */
  async leave(scope: KindScope): Promise<void> {
    if (!this.#scopes.delete(scope)) return;
    scope.view?.scopes.delete(scope);
    if (this.isEmpty) this.#options.onempty();
    await scope.end();
  }

  /** What the servers are known to declare, by their names; before `load` as well. */
  capabilities(): ReadonlyMap<string, ReadonlySet<string>> {
    const { catalog } = this.tools;
    const servers = [...this.#config.servers.values()];
    const kept = this.#isLoaded ? undefined : this.tools.capabilities(servers, this.initializeParams);
    const known = new Map<string, ReadonlySet<string>>();
    for (const { name } of servers) {
      const upstream = catalog.upstream(name) ?? (kept?.has(name) ? undefined : this.#elsewhere(name));
      const declared = upstream === undefined ? kept?.get(name) : declaredBy(upstream);
      if (declared !== undefined) known.set(name, declared);
    }
    return known;
  }

  /** Brings back what is known of the servers, once. */
  load(): void {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    this.#load([...this.#config.servers.values()]);
  }

  /** Starts the shared upstreams that start without being asked, once. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#shared.start();
  }

  /** Applies a changed configuration to what is running. Servers that run as before notice nothing. */
  configure(config: Config): void {
    const before = this.#config;
    this.#config = config;
    const isAsBefore = (server: ServerConfig | undefined, other: ServerConfig | undefined) =>
      server !== undefined && other !== undefined && isDeepStrictEqual(runOf(server), runOf(other));
    for (const [key, { scopes }] of this.#views) if (scopes.size === 0) this.#views.delete(key);
    for (const { tools } of [this, ...this.#views.values()]) tools.rankBy(config.search);
    const { fresh } = this.#shared.configure(sharedOf(config));
    for (const name of before.servers.keys()) {
      if (isAsBefore(before.servers.get(name), config.servers.get(name))) continue;
      this.#known.delete(name);
      this.tools.catalog.removeUpstream(name);
    }
    const isNew = ({ name }: ServerConfig) => !isAsBefore(before.servers.get(name), config.servers.get(name));
    if (this.#isLoaded) this.#load([...config.servers.values()].filter(isNew));
    this.#each((scope) => scope.configure());
    if (this.#isStarted) this.#shared.start(fresh);
  }

  /** Stops every upstream and all processes; bounded in time. */
  async stop(): Promise<void> {
    await Promise.all([this.#shared.stop(), ...[...this.#scopes].map((scope) => this.leave(scope))]);
    await this.tools.kept();
  }

  #load(servers: readonly ServerConfig[]): void {
    const found = this.tools.load(servers, this.initializeParams);
    for (const [name, known] of found) this.#known.set(name, known);
    for (const { name } of servers) {
      const snapshot = this.#elsewhere(name)?.snapshot;
      if (snapshot === undefined || this.tools.catalog.upstream(name) !== undefined) continue;
      this.#known.set(name, { readAt: Date.now(), isExact: false });
      this.tools.catalog.replaceUpstream(name, snapshot);
    }
  }

  #elsewhere(server: string): CatalogUpstream | undefined {
    return this.#options.elsewhere(server)?.upstream(server);
  }

  #catalogChanged(change: CatalogChange): void {
    for (const view of this.#views.values()) view.follow(change.server);
    this.#each((scope) => {
      if (scope.view === undefined) scope.catalogChanged(change);
    });
  }

  #viewFor(access: Access): AccessView {
    const known = this.#views.get(access.key);
    if (known !== undefined) return known;
    const { catalog } = this.tools;
    const view = new AccessView({ access, source: catalog, search: this.#config.search });
    this.#views.set(access.key, view);
    return view;
  }

  #each(tell: (scope: KindScope) => void): void {
    for (const scope of this.#scopes) tell(scope);
  }
}

function declaredBy({ snapshot }: CatalogUpstream): ReadonlySet<string> {
  return capabilityNames(JSON.parse(snapshot.initializeResult));
}

function sharedOf({ servers }: Config): ServerConfig[] {
  return [...servers.values()].filter(({ isPerSession }) => !isPerSession);
}
