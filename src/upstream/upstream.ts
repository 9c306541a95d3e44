import type { RunnableConfig, ServerConfig } from '../config/config.ts';
import { ToolsiftError } from '../errors.ts';
import { describeFault } from '../jsonrpc/describe-fault.ts';
import type { NotificationFrame } from '../jsonrpc/frame.ts';
import type { LinkFault } from '../jsonrpc/link.ts';
import type { Logger } from '../log.ts';
import { changedList } from '../mcp/list-changed.ts';
import type { Clock } from './clock.ts';
import { type Connection, openConnection } from './connection.ts';
import type { HubMember } from './hub/hub.ts';
import { IdleWatch } from './idle-watch.ts';
import { untilIntroduced } from './introduction.ts';
import type { ServerLink } from './link-options.ts';
import { ListKeeper } from './lists/list-keeper.ts';
import type { ServerLists } from './lists/server-lists.ts';
import { type Cut, type Quote, quoteOf } from './redact.ts';
import { requireRunnable } from './require-runnable.ts';
import { DEFAULT_RESTART_POLICY } from './restart-policy.ts';
import { handshakeTimeout, shownStatus } from './shown-status.ts';
import { Supervisor } from './supervisor.ts';
import type { Start } from './supervisor-options.ts';
import type { UpstreamStatus } from './upstream-status.ts';

const HANDSHAKE_TIMEOUT_MS = 60_000;

export interface UpstreamOptions {
  readonly config: ServerConfig;
  readonly clock: Clock;
  readonly log: Logger;
  /** A link to the server, for a client with these `initialize` params. */
  readonly openLink: (config: RunnableConfig, initializeParams: string) => Promise<ServerLink>;
  readonly onlists: (lists: ServerLists, isFinal: boolean) => void;
  readonly onready: (connection: Connection) => void;
  readonly onstatus: (status: UpstreamStatus) => void;
  /** Whether to start it again unasked after a failure, or to wait for its next use. */
  readonly isWantedUnasked: () => boolean;
}

/** One server of the configuration: its supervisor, and the reading of its lists. */
export class Upstream {
  readonly name: string;
  readonly #options: UpstreamOptions;
  readonly #supervisor: Supervisor;
  /** The sessions that use it, in the order they came. */
  readonly #members = new Set<HubMember>();
  #lists: ListKeeper | undefined;
  #idle: IdleWatch | undefined;
  #isUsed = false;
  readonly #createdAt: number;
  #config: ServerConfig;
  #quoted: Quote | undefined;
  /** What it printed on stdout before it was ready. */
  #printed: string | undefined;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    this.#config = options.config;
    this.#createdAt = options.clock.now();
    this.name = options.config.name;
    this.#supervisor = new Supervisor({
      name: this.name,
      policy: DEFAULT_RESTART_POLICY,
      clock: options.clock,
      open: (start) => this.#open(start),
      onready: (connection) => this.#ready(connection),
      onstatus: options.onstatus,
      isWantedUnasked: options.isWantedUnasked,
    });
  }

  get config(): ServerConfig {
    return this.#config;
  }

  /** Takes over settings that a running server does not depend on. */
  reconfigure(config: ServerConfig): void {
    this.#config = config;
    this.#idle?.close();
    if (this.connection !== undefined) this.#watchIdle(this.connection);
  }

  get status(): UpstreamStatus {
    const { config } = this;
    if (config.kind === 'disabled') return { state: 'disabled', since: this.#createdAt };
    const status: UpstreamStatus =
      config.kind === 'faulty'
        ? { state: 'failed', reason: config.reason, since: this.#createdAt }
        : this.#supervisor.status;
    return shownStatus(status, { problem: this.#lists?.problem, printed: this.#printed });
  }

  get connection(): Connection | undefined {
    return this.#supervisor.connection;
  }

  /** What the server asks and tells is for this member too, from now on. */
  join(member: HubMember): void {
    this.#members.add(member);
  }

  leave(member: HubMember): void {
    if (this.#members.delete(member)) this.connection?.hub.left(member);
  }

  /**
   * A live connection for a request: at once where there is one, else started first. Stays up until it is idle.
   *
   * @param initializeParams what the client says of itself that the request is from, for a start; JSON text
   * @throws ToolsiftError that says why there is none
   */
  acquire(initializeParams: string): Connection | Promise<Connection> {
    this.#isUsed = true;
    return this.#supervisor.connection ?? this.#connect(initializeParams);
  }

  /**
   * Reads its lists anew, and stops it again if nobody used it meanwhile.
   *
   * @throws ToolsiftError when it cannot be started, or its tools cannot be read
   */
  async refresh(initializeParams: string): Promise<void> {
    const wasRunning = this.connection !== undefined;
    if (!wasRunning) this.#isUsed = false;
    const connection = await this.#connect(initializeParams);
    if (wasRunning) this.#lists?.changed();
    await this.#lists?.untilFinal();
    const isNeeded =
      wasRunning || this.#isUsed || connection.peer.openRequests > 0 || connection.isUsedByOthers;
    const problem = this.#lists?.problem;
    if (!isNeeded) await this.#supervisor.rest();
    if (problem !== undefined) throw new ToolsiftError('upstream_invalid_message', problem);
  }

  /** Ends what is running and forgets what failed; the next use starts it afresh. */
  async restart(initializeParams: string): Promise<void> {
    await this.#supervisor.rest();
    // What starts unasked does so again; a failure shows in its status.
    if (this.#options.isWantedUnasked()) await this.#connect(initializeParams).catch(() => {});
  }

  /** Somebody may have logged in: where that is what it waits for, it is tried again. */
  loggedIn(): void {
    this.#supervisor.loggedIn();
  }

  /** Resolves when everything the upstream has announced of its lists has been read. */
  async untilListsRead(): Promise<void> {
    await this.#lists?.untilRead();
  }

  stop(): Promise<void> {
    this.#endWatching();
    return this.#supervisor.stop();
  }

  async #connect(initializeParams: string): Promise<Connection> {
    requireRunnable(this.config);
    return this.#supervisor.connect(initializeParams);
  }

  async #open({ initializeParams, signal, onclose }: Start): Promise<Connection> {
    const link = await this.#options.openLink(requireRunnable(this.config), initializeParams);
    const timeout = AbortSignal.timeout(HANDSHAKE_TIMEOUT_MS);
    this.#printed = undefined;
    const connection = await openConnection({
      link,
      initializeParams,
      quote: (text) => this.#quote(text),
      signal: AbortSignal.any([signal, timeout]),
      members: this.#members,
      handlers: {
        onnotification: (frame) => this.#notified(frame),
        onfault: (fault) => this.#fault(fault),
        onclose: (reason) => {
          this.#endWatching();
          onclose(reason);
        },
      },
    }).catch((error: unknown) => {
      throw timeout.aborted ? handshakeTimeout(HANDSHAKE_TIMEOUT_MS, this.#printed) : error;
    });
    this.#readLists(connection);
    await untilIntroduced(connection);
    return connection;
  }

  #ready(connection: Connection): void {
    this.#watchIdle(connection);
    this.#options.onready(connection);
  }

  #readLists(connection: Connection): void {
    const { clock, log, onlists } = this.#options;
    this.#lists = new ListKeeper({
      name: this.name,
      connection,
      clock,
      log,
      quote: (text) => this.#quote(text),
      limits: () => this.config,
      ontoolarge: (error) => void connection.close(error),
      onlists,
    });
    void this.#lists.read();
  }

  #watchIdle(connection: Connection): void {
    const { idleStopMs } = this.config;
    if (idleStopMs === undefined) return;
    this.#idle = new IdleWatch(connection.peer, this.#options.clock, idleStopMs, () => {
      if (connection.isUsedByOthers) this.#watchIdle(connection);
      else void this.#supervisor.rest();
    });
  }

  #endWatching(): void {
    this.#lists?.close();
    this.#idle?.close();
  }

  #notified(frame: NotificationFrame): void {
    if (changedList(frame.method) !== undefined) this.#lists?.changed();
  }

  #fault(fault: LinkFault): void {
    const { log } = this.#options;
    if (fault.kind === 'junk' && this.connection === undefined) {
      this.#printed = this.#quote(fault.line, { isCutAfter: true });
    }
    const line = `server "${this.name}" ${describeFault(fault, (text) => this.#quote(text, { isCutAfter: true }))}`;
    if (fault.kind === 'oversize') log.warn(line);
    else if (fault.kind === 'bug') log.error(line);
    else log.debug(line);
  }

  /** Something the server wrote, on one line, cut short, free of what it was told in confidence. */
  #quote(text: string, cut?: Cut): string {
    this.#quoted ??= quoteOf(this.config);
    return this.#quoted(text, cut);
  }
}
