import type { Catalog, CatalogChange } from '../catalog/catalog.ts';
import type { SessionListener, SessionScope } from '../downstream/session-scope.ts';
import type { Access, Caller } from '../policy/access.ts';
import type { ToolIndex } from '../search/tool-index.ts';
import type { Upstream } from '../upstream/upstream.ts';
import type { AccessView } from './access-view.ts';
import type { ClientKind } from './client-kind.ts';
import { SessionUpstream } from './session-upstream.ts';
import type { UpstreamSet } from './upstream-set.ts';

export interface KindScopeOptions {
  readonly kind: ClientKind;
  /** What the client says of itself. */
  readonly initializeParams: string;
  /** Who the client is, where several may come. */
  readonly caller: Caller | undefined;
  readonly access: Access;
  /** What the caller may see; all there is where absent. */
  readonly view: AccessView | undefined;
}

/** The place of one session among those of its kind: what they share, and the servers that run for it alone. */
export class KindScope implements SessionScope {
  readonly caller: Caller | undefined;
  readonly access: Access;
  /** What the caller may see; all there is where absent. */
  readonly view: AccessView | undefined;
  readonly #kind: ClientKind;
  readonly #initializeParams: string;
  readonly #upstreams = new Map<string, SessionUpstream>();
  readonly #own: UpstreamSet;
  #listener: SessionListener | undefined;
  #isStarted = false;

  constructor({ kind, initializeParams, caller, access, view }: KindScopeOptions) {
    this.#kind = kind;
    this.#initializeParams = initializeParams;
    this.caller = caller;
    this.access = access;
    this.view = view;
    this.#own = kind.createSet({
      onready: (server) => this.ready(server),
      onstatus: () => this.statusChanged(),
    });
    this.#configureOwn();
  }

  get catalog(): Catalog {
    return (this.view ?? this.#kind).tools.catalog;
  }

  get upstreams(): ReadonlyMap<string, SessionUpstream> {
    return this.#upstreams;
  }

  /** Upstreams that run for this session alone. */
  get own(): ReadonlyMap<string, Upstream> {
    return this.#own.byName;
  }

  indexed(): Promise<ToolIndex> {
    return (this.view ?? this.#kind).tools.indexed();
  }

  capabilities(): ReadonlyMap<string, ReadonlySet<string>> {
    return new Map([...this.#kind.capabilities()].filter(([server]) => this.access.seesServer(server)));
  }

  /** Brings back what is known of the servers. */
  load(): void {
    this.#kind.load();
  }

  attach(listener: SessionListener): void {
    this.#listener = listener;
    for (const upstream of this.#upstreams.values()) upstream.join(listener);
  }

  start(): void {
    this.#isStarted = true;
    this.#kind.start();
    this.#own.start();
  }

  /** The session is over. What runs for it alone stops; bounded. */
  leave(): Promise<void> {
    return this.#kind.leave(this);
  }

  /** For its kind: takes over a changed configuration. */
  configure(): void {
    const { fresh } = this.#configureOwn();
    this.#listener?.configChanged?.();
    if (this.#isStarted) this.#own.start(fresh);
  }

  /** For its kind: nothing reaches the session any more. */
  async end(): Promise<void> {
    for (const upstream of this.#upstreams.values()) upstream.leave();
    this.#listener = undefined;
    await this.#own.stop();
  }

  ready(server: string): void {
    this.#upstreams.get(server)?.ready();
  }

  statusChanged(): void {
    this.#listener?.statusChanged?.();
  }

  catalogChanged(change: CatalogChange): void {
    this.#listener?.catalogChanged?.(change);
  }

  #configureOwn(): ReturnType<UpstreamSet['configure']> {
    const servers = [...this.#kind.config.servers.values()].filter(({ name }) =>
      this.access.seesServer(name),
    );
    const change = this.#own.configure(servers.filter(({ isPerSession }) => isPerSession));
    const before = new Map(this.#upstreams);
    this.#upstreams.clear();
    for (const { name } of servers) {
      const upstream = this.#own.byName.get(name) ?? this.#kind.upstreams.get(name);
      if (upstream === undefined) continue;
      const old = before.get(name);
      if (old?.upstream === upstream) {
        before.delete(name);
        this.#upstreams.set(name, old);
      } else this.#put(name, upstream);
    }
    for (const gone of before.values()) gone.leave();
    return change;
  }

  #put(name: string, upstream: Upstream): void {
    const view = new SessionUpstream(upstream, this.#initializeParams);
    this.#upstreams.set(name, view);
    if (this.#listener !== undefined) view.join(this.#listener);
  }
}
