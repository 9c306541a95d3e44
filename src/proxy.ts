import { isDeepStrictEqual } from 'node:util';
import { readSecret } from './catalog/cache-key.ts';
import { Catalog, type CatalogChange } from './catalog/catalog.ts';
import { CatalogCache } from './catalog/catalog-cache.ts';
import { readTools } from './catalog/catalog-tool.ts';
import type { Config, ServerConfig } from './config/config.ts';
import { ownInitializeParams } from './downstream/client-handshake.ts';
import { ClientSession } from './downstream/client-session.ts';
import type { Session } from './downstream/session.ts';
import { TransparentSession } from './downstream/transparent-session.ts';
import { ToolsiftError } from './errors.ts';
import type { Link } from './jsonrpc/link.ts';
import type { Logger } from './log.ts';
import { ToolIndex } from './search/tool-index.ts';
import { systemClock } from './upstream/clock.ts';
import { LiveGroups } from './upstream/live-groups.ts';
import { openLink } from './upstream/open-link.ts';
import type { ServerLists } from './upstream/server-lists.ts';
import { planStart } from './upstream/start-plan.ts';
import { StartQueue } from './upstream/start-queue.ts';
import type { UpstreamStatus } from './upstream/supervisor.ts';
import { Upstream } from './upstream/upstream.ts';
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

/** Servers started side by side; more would slow each other down. */
const PARALLEL_STARTS = 8;
/** Background refreshes begin when the first requests of a session have passed. */
const REFRESH_AFTER_MS = 3000;

/**
 * The composition root: builds the parts for one configuration and wires them. Upstreams are started by
 * `startUpstreams`, or by the client that `serve` puts in front of them.
 */
export class ToolProxy {
  readonly index = new ToolIndex();
  readonly catalog = new Catalog((change) => this.#catalogChanged(change));
  readonly #options: ToolProxyOptions;
  readonly #upstreams = new Map<string, Upstream>();
  readonly #groups = new LiveGroups();
  readonly #starts = new StartQueue(PARALLEL_STARTS);
  readonly #refreshes = new StartQueue(1);
  readonly #warmStart: WarmStart | undefined;
  readonly #known = new Map<string, Known>();
  /** Upstreams that a changed configuration no longer has, while they stop. */
  readonly #leaving = new Set<Promise<void>>();
  #config: Config;
  #initializeParams: string;
  #session: Session | undefined;
  #isStarted = false;

  constructor(options: ToolProxyOptions) {
    const { config, version, folders, log } = options;
    this.#options = options;
    this.#config = config;
    this.#initializeParams = ownInitializeParams(version);
    if (folders !== undefined) {
      const cache = new CatalogCache(folders.cache, (message) => log.warn(message));
      this.#warmStart = new WarmStart({ cache, secret: readSecret(folders.data), catalog: this.catalog });
    }
    for (const server of config.servers.values())
      this.#upstreams.set(server.name, this.#createUpstream(server));
  }

  /** The upstreams in the order of the configuration. */
  get upstreams(): ReadonlyMap<string, Upstream> {
    return this.#upstreams;
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

  /** Starts what starts without being asked: unknown servers and eager ones at once, stale ones a little later. */
  startUpstreams(): void {
    this.#isStarted = true;
    for (const upstream of this.#upstreams.values()) this.#startAsPlanned(upstream);
  }

  /** Applies a changed configuration to what is running. Servers whose entry is the same notice nothing. */
  applyConfig(config: Config): void {
    const before = new Map(this.#upstreams);
    this.#config = config;
    this.#upstreams.clear();
    const fresh: Upstream[] = [];
    for (const server of config.servers.values()) {
      const old = before.get(server.name);
      if (old !== undefined && isDeepStrictEqual(old.config, server)) {
        before.delete(server.name);
        this.#upstreams.set(server.name, old);
      } else {
        const upstream = this.#createUpstream(server);
        this.#upstreams.set(server.name, upstream);
        fresh.push(upstream);
      }
    }
    for (const [name, upstream] of before) this.#leave(name, upstream);
    this.#load(fresh.map((upstream) => upstream.config));
    this.#session?.configChanged();
    if (this.#isStarted) for (const upstream of fresh) this.#startAsPlanned(upstream);
  }

  /** Reads a server's lists anew, for every kind of client they are kept for. */
  async refresh(name: string): Promise<void> {
    const upstream = this.#upstreams.get(name);
    if (upstream === undefined) return;
    const clients = this.#warmStart?.clientsOf(upstream.config) ?? [];
    for (const params of clients.length === 0 ? [this.#initializeParams] : clients) {
      this.#initializeParams = params;
      await upstream.refresh();
    }
  }

  /** Stops every upstream and all processes; bounded in time. */
  async close(): Promise<void> {
    this.#starts.clear();
    this.#refreshes.clear();
    const stopping = [...this.#upstreams.values()].map((upstream) => upstream.stop());
    await Promise.all([...stopping, ...this.#leaving]);
  }

  #clientSession(link: Link, onclose: (reason: Error) => void): Session {
    const { log, version } = this.#options;
    return new ClientSession({
      link,
      catalog: this.catalog,
      index: this.index,
      upstreams: this.#upstreams,
      log,
      version,
      settings: () => ({
        pinned: this.#config.pinned,
        topK: this.#config.topK,
        maxAnswerTokens: this.#config.search.maxTokens,
        listWaitMs: this.#config.pinnedWaitMs,
      }),
      onparams: (params) => this.prepare(params),
      onhello: () => this.startUpstreams(),
      onclose,
    });
  }

  #onlySession(link: Link, only: string, onclose: (reason: Error) => void): Session {
    const upstream = this.#upstreams.get(only);
    if (upstream === undefined) {
      const names = [...this.#upstreams.keys()].join(', ');
      throw new ToolsiftError('usage', `there is no server "${only}" in toolsift.json; there are: ${names}`);
    }
    const onparams = (params: string) => {
      this.#initializeParams = params;
    };
    return new TransparentSession({ link, upstream, log: this.#options.log, onparams, onclose });
  }

  #createUpstream(server: ServerConfig): Upstream {
    const { log } = this.#options;
    const { name } = server;
    return new Upstream({
      config: server,
      clock: systemClock,
      log,
      openLink: (config) =>
        openLink(config, {
          maxMessageBytes: this.#config.maxMessageBytes,
          groups: this.#groups,
          logFolder: this.#options.folders?.log,
        }),
      initializeParams: () => this.#initializeParams,
      onlists: (lists, isFinal) => this.#listed(server, lists, isFinal),
      onready: (connection) => this.#session?.upstreamReady(name, connection),
      onstatus: (status) => this.#statusChanged(name, status),
      onrequest: (request, connection) => this.#session?.upstreamRequest(request, connection),
      onnotification: (frame) => this.#session?.upstreamNotification(name, frame),
      isWantedUnasked: () => server.start === 'eager' || this.catalog.upstream(name) === undefined,
    });
  }

  #leave(name: string, upstream: Upstream): void {
    const stopped = upstream.stop().finally(() => this.#leaving.delete(stopped));
    this.#leaving.add(stopped);
    this.#known.delete(name);
    this.catalog.removeUpstream(name);
  }

  #load(servers: Iterable<ServerConfig>): void {
    for (const [name, known] of this.#warmStart?.load(servers, this.#initializeParams) ?? []) {
      this.#known.set(name, known);
    }
  }

  #startAsPlanned(upstream: Upstream): void {
    const { name, config, status } = upstream;
    if (status.state !== 'idle') return;
    const { start, refreshAfterMs } = config;
    const plan = planStart({ start, refreshAfterMs, known: this.#known.get(name) }, Date.now());
    if (plan === 'now') this.#starts.add(async () => upstream.acquire());
    if (plan !== 'refresh-later') return;
    setTimeout(() => this.#refreshes.add(() => upstream.refresh()), REFRESH_AFTER_MS).unref();
  }

  #listed(server: ServerConfig, { tools, ...lists }: ServerLists, isFinal: boolean): void {
    const { name } = server;
    // What failed to be read does not take the place of what is known.
    if (!isFinal && this.catalog.upstream(name) !== undefined) return;
    const snapshot = { ...lists, tools: readTools(name, tools) };
    this.catalog.replaceUpstream(name, snapshot);
    if (isFinal) this.#warmStart?.keep(server, snapshot, this.#initializeParams, Date.now());
  }

  #catalogChanged(change: CatalogChange): void {
    const tools = this.catalog.upstream(change.server)?.tools;
    if (tools === undefined) this.index.removeServer(change.server);
    else if (change.tools) {
      this.index.replaceServer(
        change.server,
        [...tools.values()].map(({ definition }) => JSON.parse(definition) as unknown),
      );
    }
    this.#session?.catalogChanged(change);
  }

  #statusChanged(name: string, { state, reason }: UpstreamStatus): void {
    const { log } = this.#options;
    const line = `server "${name}" is ${state}${reason === undefined ? '' : `: ${reason}`}`;
    if (state === 'failed' || state === 'backoff' || state === 'needs_login') log.warn(line);
    else log.debug(line);
    this.#session?.statusChanged();
  }
}
