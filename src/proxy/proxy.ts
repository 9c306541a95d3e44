import { readSecret } from '../catalog/cache-key.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { CatalogCache } from '../catalog/catalog-cache.ts';
import type { Config } from '../config/config.ts';
import { ownInitializeParams } from '../downstream/client-handshake.ts';
import { ClientSession } from '../downstream/client-session.ts';
import { TransparentSession } from '../downstream/transparent-session.ts';
import { ToolsiftError } from '../errors.ts';
import type { Link } from '../jsonrpc/link.ts';
import type { Logger } from '../log.ts';
import { accessOf, type Caller } from '../policy/access.ts';
import { ClientKind } from './client-kind.ts';
import { kindOf } from './declared.ts';
import type { KindScope } from './kind-scope.ts';
import type { OpenOptions, OpenSession } from './open-session.ts';
import { UpstreamFactory } from './upstream-factory.ts';
import type { UserFolders } from './user-folders.ts';
import { WarmStart } from './warm-start.ts';

export interface ToolProxyOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Our own version, as told to clients and upstreams. */
  readonly version: string;
  /** Where the catalog is kept between runs; it is not kept where absent. */
  readonly folders?: UserFolders;
}

/** Servers of a kind of client that has left keep running so long, for when one comes back. */
const LINGER_MS = 60_000;

/**
 * The composition root: what all sessions share, for one configuration. Sessions are opened on it, any number at a
 * time; those whose clients declare the same have their servers, catalog and index together.
 */
export class ToolProxy {
  readonly #options: ToolProxyOptions;
  readonly #kinds = new Map<string, ClientKind>();
  readonly #leaving = new Set<Promise<void>>();
  readonly #upstreams: UpstreamFactory;
  readonly #warmStart: WarmStart | undefined;
  #config: Config;
  #own: KindScope | undefined;

  constructor(options: ToolProxyOptions) {
    const { config, folders, log } = options;
    this.#options = options;
    this.#config = config;
    if (folders !== undefined) {
      const cache = new CatalogCache(folders.cache, (message) => log.warn(message));
      this.#warmStart = new WarmStart({ cache, secret: readSecret(folders.data) });
    }
    this.#upstreams = new UpstreamFactory({
      config: () => this.#config,
      log,
      folders,
      warmStart: this.#warmStart,
    });
  }

  /** What is configured now. */
  get config(): Config {
    return this.#config;
  }

  /** What a client sees that declares nothing, as commands do. */
  get own(): KindScope {
    this.#own ??= this.enter(ownInitializeParams(this.#options.version));
    return this.#own;
  }

  /**
   * A place among the clients that declare what these `initialize` params do.
   *
   * @param initializeParams JSON text
   * @param caller who comes, where several may; without one everything can be reached
   */
  enter(initializeParams: string, caller?: Caller): KindScope {
    const key = kindOf(initializeParams);
    const kind = this.#kinds.get(key) ?? this.#createKind(key, initializeParams);
    if (caller === undefined) return kind.enter(initializeParams);
    return kind.enter(initializeParams, caller, accessOf(caller, this.#config.access));
  }

  /**
   * Opens a conversation with a client over a link; it begins with `start`.
   *
   * @throws ToolsiftError `usage` when `only` is not configured
   */
  openSession(options: OpenOptions): OpenSession {
    return options.only === undefined ? this.#openClient(options) : this.#openOnly(options, options.only);
  }

  /**
   * Speaks to a client over a link until either side ends it.
   *
   * @returns why the conversation ended
   * @throws ToolsiftError `usage` when `only` is not configured
   */
  async serve(link: Link, only?: string): Promise<Error> {
    return new Promise((resolve, reject) => {
      this.openSession({ link, only, onclose: resolve }).start().catch(reject);
    });
  }

  /** Applies a changed configuration to what is running. Servers that run as before notice nothing. */
  applyConfig(config: Config): void {
    this.#config = config;
    for (const kind of this.#kinds.values()) kind.configure(config);
  }

  /**
   * Reads a server's lists anew, for every kind of client they are kept for.
   *
   * @returns how many tools it has now
   */
  async refresh(name: string): Promise<number> {
    const server = this.#config.servers.get(name);
    if (server === undefined) return 0;
    const kept = this.#warmStart?.clientsOf(server) ?? [];
    let tools = 0;
    for (const params of kept.length === 0 ? [ownInitializeParams(this.#options.version)] : kept) {
      const scope = this.enter(params);
      try {
        await scope.upstreams.get(name)?.refresh();
        tools = scope.catalog.upstream(name)?.tools.size ?? 0;
      } finally {
        await scope.leave();
      }
    }
    return tools;
  }

  /** Ends what runs of a server and forgets what failed; the next use starts it afresh. */
  async restart(name: string): Promise<void> {
    await Promise.all([...this.#kinds.values()].map((kind) => kind.restart(name)));
  }

  /** Tries those servers again that wait for a login. */
  loggedIn(): void {
    for (const kind of this.#kinds.values()) kind.loggedIn();
  }

  /** State of each server that runs for anybody, by its name; several where it runs several times. */
  *states(): Iterable<readonly [server: string, state: string]> {
    for (const kind of this.#kinds.values()) {
      for (const { name, status } of kind.running()) yield [name, status.state];
    }
  }

  /** Stops every upstream and all processes; bounded in time. */
  async close(): Promise<void> {
    await Promise.all([...[...this.#kinds.values()].map((kind) => kind.stop()), ...this.#leaving]);
  }

  #openClient({ link, caller, record, onclose }: OpenOptions): OpenSession {
    const { log, version } = this.#options;
    let scope: KindScope | undefined;
    return new ClientSession({
      link,
      log,
      version,
      record,
      settings: () => ({
        pinned: this.#config.pinned,
        topK: this.#config.topK,
        maxAnswerTokens: this.#config.search.maxTokens,
        listWaitMs: this.#config.pinnedWaitMs,
        configuration: this.#config,
      }),
      enter: (initializeParams = ownInitializeParams(version)) => {
        scope = this.enter(initializeParams, caller);
        return scope;
      },
      onclose: (reason) => {
        this.#leave(scope);
        onclose(reason);
      },
    });
  }

  #openOnly({ link, onclose }: OpenOptions, only: string): OpenSession {
    const { servers } = this.#config;
    if (!servers.has(only)) {
      const names = [...servers.keys()].join(', ');
      throw new ToolsiftError('usage', `there is no server "${only}" in toolsift.json; there are: ${names}`);
    }
    let scope: KindScope | undefined;
    return new TransparentSession({
      link,
      server: only,
      log: this.#options.log,
      enter: (initializeParams = ownInitializeParams(this.#options.version)) => {
        scope = this.enter(initializeParams);
        return scope;
      },
      onclose: (reason) => {
        this.#leave(scope);
        onclose(reason);
      },
    });
  }

  #leave(scope: KindScope | undefined): void {
    if (scope !== undefined) this.#track(scope.leave());
  }

  #createKind(key: string, initializeParams: string): ClientKind {
    const kind: ClientKind = new ClientKind({
      config: this.#config,
      initializeParams,
      warmStart: this.#warmStart,
      elsewhere: (server) => this.#catalogWith(server),
      upstreams: this.#upstreams,
      onempty: () => this.#dropLater(key, kind),
    });
    this.#kinds.set(key, kind);
    return kind;
  }

  /** What clients of some kind see of a server. */
  #catalogWith(server: string): Catalog | undefined {
    return [...this.#kinds.values()]
      .map(({ tools }) => tools.catalog)
      .find((catalog) => catalog.upstream(server) !== undefined);
  }

  #dropLater(key: string, kind: ClientKind): void {
    setTimeout(() => {
      if (!kind.isEmpty || this.#kinds.get(key) !== kind) return;
      this.#kinds.delete(key);
      this.#track(kind.stop());
    }, LINGER_MS).unref();
  }

  #track(ending: Promise<void>): void {
    const tracked = ending.finally(() => this.#leaving.delete(tracked));
    this.#leaving.add(tracked);
  }
}
