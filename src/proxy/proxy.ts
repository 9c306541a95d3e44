import { readSecret } from '../catalog/cache-key.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { CatalogCache } from '../catalog/catalog-cache.ts';
import type { Config, ServerConfig } from '../config/config.ts';
import { ownInitializeParams } from '../downstream/client-handshake.ts';
import { ClientSession } from '../downstream/client-session.ts';
import type { Session } from '../downstream/session.ts';
import { TransparentSession } from '../downstream/transparent-session.ts';
import { ToolsiftError } from '../errors.ts';
import type { IncomingRequest } from '../jsonrpc/incoming-request.ts';
import type { Link } from '../jsonrpc/link.ts';
import type { Peer } from '../jsonrpc/peer.ts';
import type { Logger } from '../log.ts';
import { METHOD_NOT_FOUND } from '../mcp/error-codes.ts';
import type { ToolIndex } from '../search/tool-index.ts';
import { systemClock } from '../upstream/clock.ts';
import type { LinkOptions } from '../upstream/link-options.ts';
import { openLink } from '../upstream/open-link.ts';
import { LiveGroups } from '../upstream/stdio/live-groups.ts';
import { Upstream } from '../upstream/upstream.ts';
import type { UpstreamStatus } from '../upstream/upstream-status.ts';
import { IndexedCatalog } from './indexed-catalog.ts';
import { UpstreamSet } from './upstream-set.ts';
import type { UserFolders } from './user-folders.ts';
import { type Known, WarmStart } from './warm-start.ts';

export interface ToolProxyOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Our own version, as told to clients and upstreams. */
  readonly version: string;
  /** Where the catalog is kept between sessions; it is not kept where absent. */
  readonly folders?: UserFolders;
}

/**
 * The composition root: builds the parts for one configuration and wires them. Upstreams are started by
 * `startUpstreams`, or by the client that `serve` puts in front of them.
 */
export class ToolProxy {
  readonly #options: ToolProxyOptions;
  readonly #upstreams = new UpstreamSet({
    create: (server) => this.#createUpstream(server),
    knownOf: (name) => this.#known.get(name),
  });
  readonly #groups = new LiveGroups();
  readonly #tools: IndexedCatalog;
  readonly #known = new Map<string, Known>();
  #config: Config;
  #initializeParams: string;
  #session: Session | undefined;
  #isStarted = false;

  constructor(options: ToolProxyOptions) {
    const { config, version, folders, log } = options;
    this.#options = options;
    this.#config = config;
    this.#initializeParams = ownInitializeParams(version);
    this.#tools = new IndexedCatalog({
      mode: config.search.mode,
      onchange: (change) => this.#session?.catalogChanged(change),
      warmStart: (catalog) => {
        if (folders === undefined) return undefined;
        const cache = new CatalogCache(folders.cache, (message) => log.warn(message));
        return new WarmStart({ cache, secret: readSecret(folders.data), catalog });
      },
    });
    this.#upstreams.configure(config.servers.values());
  }

  get catalog(): Catalog {
    return this.#tools.catalog;
  }

  /** The index, once every tool of the catalog can be found in it, or after a moment. */
  indexed(): Promise<ToolIndex> {
    return this.#tools.indexed();
  }

  /** The upstreams in the order of the configuration. */
  get upstreams(): ReadonlyMap<string, Upstream> {
    return this.#upstreams.byName;
  }

  /**
   * Speaks to a client over a link until either side ends it.
   *
   * @param only name of the one server to put through as it is, in place of all behind the meta-tools
   * @returns why the conversation ended
   * @throws ToolsiftError `usage` when `only` is not configured
   */
  async serve(link: Link, only?: string): Promise<Error> {
    return new Promise((resolve, reject) => {
      this.#session =
        only === undefined ? this.#clientSession(link, resolve) : this.#onlySession(link, only, resolve);
      this.#session.start().catch(reject);
    });
  }

  /** Brings back what is known of the servers, as a client with these `initialize` params would see them. */
  prepare(initializeParams = this.#initializeParams): void {
    this.#initializeParams = initializeParams;
    this.#load(this.#config.servers.values());
  }

  /** Starts the upstreams that start without being asked. */
  startUpstreams(): void {
    this.#isStarted = true;
    this.#upstreams.start();
  }

  /** Applies a changed configuration to what is running. Servers that run as before notice nothing. */
  applyConfig(config: Config): void {
    this.#config = config;
    const { fresh, gone } = this.#upstreams.configure(config.servers.values());
    for (const name of gone) {
      this.#known.delete(name);
      this.catalog.removeUpstream(name);
    }
    this.#load(fresh.map((upstream) => upstream.config));
    this.#session?.configChanged();
    if (this.#isStarted) this.#upstreams.start(fresh);
  }

  /** Reads a server's lists anew, for every kind of client they are kept for. */
  async refresh(name: string): Promise<void> {
    const upstream = this.upstreams.get(name);
    if (upstream === undefined) return;
    const own = this.#initializeParams;
    const clients = this.#tools.warmStart?.clientsOf(upstream.config) ?? [];
    try {
      for (const params of clients.length === 0 ? [own] : clients) {
        this.#initializeParams = params;
        await upstream.refresh();
      }
    } finally {
      this.#initializeParams = own;
    }
  }

  /** Stops every upstream and all processes; bounded in time. */
  async close(): Promise<void> {
    await this.#upstreams.stop();
    await this.#tools.kept();
  }

  #clientSession(link: Link, onclose: (reason: Error) => void): Session {
    const { log, version } = this.#options;
    return new ClientSession({
      link,
      catalog: this.catalog,
      upstreams: this.upstreams,
      log,
      version,
      settings: () => ({
        pinned: this.#config.pinned,
        topK: this.#config.topK,
        maxAnswerTokens: this.#config.search.maxTokens,
        listWaitMs: this.#config.pinnedWaitMs,
        configuration: this.#config,
      }),
      indexed: () => this.indexed(),
      onparams: (params) => this.prepare(params),
      onhello: () => this.startUpstreams(),
      onclose,
    });
  }

  #onlySession(link: Link, only: string, onclose: (reason: Error) => void): Session {
    const upstream = this.upstreams.get(only);
    if (upstream === undefined) {
      const names = [...this.upstreams.keys()].join(', ');
      throw new ToolsiftError('usage', `there is no server "${only}" in toolsift.json; there are: ${names}`);
    }
    return new TransparentSession({
      link,
      // An edit of its entry puts another in its place.
      upstream: () => this.upstreams.get(only) ?? upstream,
      log: this.#options.log,
      onparams: (params) => {
        this.#initializeParams = params;
      },
      onclose,
    });
  }

  #createUpstream(server: ServerConfig): Upstream {
    const { log } = this.#options;
    const { name } = server;
    return new Upstream({
      config: server,
      clock: systemClock,
      log,
      openLink: (config) => openLink(config, this.#linkOptions(config)),
      initializeParams: () => this.#initializeParams,
      onlists: (lists, isFinal) => this.#tools.listed(server, lists, isFinal),
      onready: (connection) => this.#session?.upstreamReady(name, connection),
      onstatus: (status) => this.#statusChanged(name, status),
      onrequest: (request, peer) => this.#upstreamAsks(request, peer),
      onnotification: (frame) => this.#session?.upstreamNotification(name, frame),
      isWantedUnasked: () =>
        this.upstreams.get(name)?.config.start === 'eager' || this.catalog.upstream(name) === undefined,
    });
  }

  #upstreamAsks(request: IncomingRequest, upstream: Peer): void {
    if (this.#session === undefined)
      request.error(METHOD_NOT_FOUND, 'Method not found: there is no client to ask');
    else this.#session.upstreamRequest(request, upstream);
  }

  #linkOptions(config: ServerConfig): LinkOptions {
    const { folders } = this.#options;
    const key = this.#tools.warmStart?.shareKey(config, this.#initializeParams);
    return {
      maxMessageBytes: this.#config.maxMessageBytes,
      groups: this.#groups,
      logFolder: folders?.log,
      share: folders === undefined || key === undefined ? undefined : { key, folder: folders.runtime },
    };
  }

  #load(servers: Iterable<ServerConfig>): void {
    const found = this.#tools.load(servers, this.#initializeParams);
    for (const [name, known] of found) this.#known.set(name, known);
  }

  #statusChanged(name: string, { state, reason }: UpstreamStatus): void {
    const { log } = this.#options;
    const line = `server "${name}" is ${state}${reason === undefined ? '' : `: ${reason}`}`;
    if (state === 'failed' || state === 'backoff' || state === 'needs_login') log.warn(line);
    else log.debug(line);
    this.#session?.statusChanged();
  }
}
