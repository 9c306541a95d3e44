import { Catalog, type CatalogChange } from './catalog/catalog.ts';
import type { Config } from './config/config.ts';
import { ownInitializeParams } from './downstream/client-handshake.ts';
import { ClientSession } from './downstream/client-session.ts';
import { TransparentSession } from './downstream/transparent-session.ts';
import { ToolsiftError } from './errors.ts';
import type { Frame } from './jsonrpc/frame.ts';
import type { IncomingRequest } from './jsonrpc/incoming-request.ts';
import type { Link } from './jsonrpc/link.ts';
import type { Logger } from './log.ts';
import { ToolIndex } from './search/tool-index.ts';
import { systemClock } from './upstream/clock.ts';
import type { Connection } from './upstream/connection.ts';
import { LiveGroups } from './upstream/live-groups.ts';
import { openLink } from './upstream/open-link.ts';
import type { Clock, UpstreamStatus } from './upstream/supervisor.ts';
import { Upstream } from './upstream/upstream.ts';

export interface ToolProxyOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Our own version, as told to clients and upstreams. */
  readonly version: string;
  readonly clock?: Clock;
}

/** What the conversation with a client wants to hear of the upstreams. */
interface Session {
  start(): Promise<void>;
  catalogChanged?(change: CatalogChange): void;
  statusChanged?(): void;
  upstreamReady?(server: string, connection: Connection): void;
  upstreamRequest(request: IncomingRequest, connection: Connection): void;
  upstreamNotification(server: string, frame: Frame): void;
}

/**
 * The composition root: builds the parts for one configuration and wires them. Upstreams are started by
 * `startUpstreams`, or by the client that `serve` puts in front of them.
 */
export class ToolProxy {
  readonly catalog: Catalog;
  readonly index = new ToolIndex();
  /** In the order of the configuration. */
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly #options: ToolProxyOptions;
  readonly #groups = new LiveGroups();
  #initializeParams: string;
  #session: Session | undefined;

  constructor(options: ToolProxyOptions) {
    this.#options = options;
    this.#initializeParams = ownInitializeParams(options.version);
    this.catalog = new Catalog((change) => this.#catalogChanged(change));
    const names = [...options.config.servers.keys()];
    this.upstreams = new Map(names.map((name) => [name, this.#createUpstream(name)]));
  }

  /**
   * Speaks to a client over a link until either side ends it.
   *
   * @param only name of the one server to put through as it is, in place of all behind the meta-tools
   * @returns why the conversation ended
   * @throws ToolsiftError `unknown_server` when `only` is not configured
   */
  async serve(link: Link, only?: string): Promise<Error> {
    return new Promise((resolve, reject) => {
      const session =
        only === undefined ? this.#clientSession(link, resolve) : this.#onlySession(only, link, resolve);
      this.#session = session;
      session.start().catch(reject);
    });
  }

  /** Starts every upstream that is not switched off, all at once. */
  startUpstreams(): void {
    for (const upstream of this.upstreams.values()) {
      // What went wrong is in its status and in the log.
      if (upstream.status.state === 'idle') upstream.connect().catch(() => {});
    }
  }

  /** Stops every upstream and all processes; bounded in time. */
  async close(): Promise<void> {
    await Promise.all([...this.upstreams.values()].map((upstream) => upstream.stop()));
  }

  #clientSession(link: Link, onclose: (reason: Error) => void): Session {
    const { config, log, version } = this.#options;
    return new ClientSession({
      link,
      catalog: this.catalog,
      index: this.index,
      upstreams: this.upstreams,
      log,
      version,
      pinned: config.pinned,
      topK: config.topK,
      maxAnswerTokens: config.search.maxTokens,
      listWaitMs: config.pinnedWaitMs,
      onhello: (params) => {
        this.#initializeParams = params ?? this.#initializeParams;
        this.startUpstreams();
      },
      onclose,
    });
  }

  #onlySession(only: string, link: Link, onclose: (reason: Error) => void): Session {
    const upstream = this.upstreams.get(only);
    if (upstream === undefined) {
      const names = [...this.upstreams.keys()].join(', ');
      throw new ToolsiftError(
        'unknown_server',
        `there is no server "${only}" in toolsift.json; there are: ${names}`,
      );
    }
    return new TransparentSession({
      link,
      upstream,
      log: this.#options.log,
      onhello: (params) => {
        this.#initializeParams = params ?? this.#initializeParams;
      },
      onclose,
    });
  }

  #createUpstream(name: string): Upstream {
    const { config, log, clock = systemClock } = this.#options;
    const { maxMessageBytes } = config;
    return new Upstream({
      config: config.servers.get(name) ?? { kind: 'faulty', name, reason: 'is not configured' },
      clock,
      log,
      openLink: (server) => openLink(server, { maxMessageBytes, groups: this.#groups }),
      initializeParams: () => this.#initializeParams,
      onlists: (lists) => this.catalog.replaceUpstream(name, lists),
      onready: (connection) => this.#session?.upstreamReady?.(name, connection),
      onstatus: (status) => this.#statusChanged(name, status),
      onrequest: (request, connection) => this.#session?.upstreamRequest(request, connection),
      onnotification: (frame) => this.#session?.upstreamNotification(name, frame),
    });
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
    this.#session?.catalogChanged?.(change);
  }

  #statusChanged(name: string, { state, reason }: UpstreamStatus): void {
    const { log } = this.#options;
    const line = `server "${name}" is ${state}${reason === undefined ? '' : `: ${reason}`}`;
    if (state === 'failed' || state === 'backoff' || state === 'needs_login') log.warn(line);
    else log.debug(line);
    this.#session?.statusChanged?.();
  }
}
