import { type ErrorCode, errorText, ToolsiftError } from '../errors.ts';
import type { Connection } from './connection.ts';
import { decideRestart } from './restart-policy.ts';
import type { SupervisorOptions } from './supervisor-options.ts';
import type { UpstreamState, UpstreamStatus } from './upstream-status.ts';

/** Said of calls that come too late. */
const STOPPED = 'was stopped: toolsift is leaving, or its entry was removed or changed';
/** Failures that trying again does not mend, and the state they park an upstream in. */
const PARKED_IN: ReadonlyMap<ErrorCode, UpstreamState> = new Map([
  ['upstream_needs_login', 'needs_login'],
  ['server_config_invalid', 'failed'],
]);
/** A caller waits this long for a scheduled restart; where the pause is longer, its call is a try of its own. */
const MAX_WAIT_FOR_RESTART_MS = 2500;
/** Uses of an upstream that has failed start it again, but not in a tight loop. */
const MIN_PAUSE_BETWEEN_TRIES_MS = 1000;

/**
 * Keeps one upstream's connection alive: at most one start in flight, shared by all callers; failures are met
 * with growing pauses and, past the policy's limit, with `failed` until the next use.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  #status: UpstreamStatus;
  #connection: Connection | undefined;
  #attempt: Promise<Connection> | undefined;
  #failureTimes: number[] = [];
  #lastFailure: ToolsiftError | undefined;
  #readySince = 0;
  /** Ends everything for good. */
  readonly #abort = new AbortController();
  /** Ends the start under way. */
  #attemptAbort = new AbortController();
  #cancelRestart: (() => void) | undefined;
  #restartAt = 0;
  #earliestTry = 0;
  #wakeWaiters: (() => void)[] = [];
  #resting: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#status = { state: 'idle', since: options.clock.now() };
  }

  get status(): UpstreamStatus {
    return this.#status;
  }

  /** The open connection, if there is one. */
  get connection(): Connection | undefined {
    return this.#connection;
  }

  /**
   * The connection, started first where need be. Callers share one start.
   *
   * @throws ToolsiftError that says why there is none
   */
  async connect(): Promise<Connection> {
    if (this.#connection !== undefined) return this.#connection;
    if (this.#attempt !== undefined) return this.#attempt;
    const { state } = this.#status;
    if (this.#resting !== undefined) {
      await this.#resting;
      return this.connect();
    }
    if (state === 'stopping' || state === 'stopped') throw this.#unavailable(STOPPED);
    if (state === 'needs_login') throw this.#lastFailure as ToolsiftError;
    const { clock } = this.#options;
    if (state === 'backoff' && this.#restartAt - clock.now() <= MAX_WAIT_FOR_RESTART_MS) {
      await new Promise<void>((resolve) => this.#wakeWaiters.push(resolve));
      return this.connect();
    }
    if ((state === 'backoff' || state === 'failed') && clock.now() < this.#earliestTry) {
      throw this.#failureUntil(this.#earliestTry);
    }
    this.#cancelRestart?.();
    return this.#start();
  }

  /** Ends the connection until the next use; what failed before is forgotten. */
  rest(): Promise<void> {
    this.#resting ??= this.#rest().finally(() => {
      this.#resting = undefined;
    });
    return this.#resting;
  }

  /** Ends the connection and whatever is being started, for good. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#cancelRestart?.();
    this.#enter('stopping');
    this.#wake();
    this.#abort.abort(this.#unavailable(STOPPED));
    await Promise.allSettled([
      this.#attempt,
      this.#resting,
      this.#connection?.close(this.#unavailable(STOPPED)),
    ]);
    this.#connection = undefined;
    this.#enter('stopped');
  }

  async #rest(): Promise<void> {
    if (this.#abort.signal.aborted) return;
    this.#attemptAbort.abort(this.#unavailable('was restarted while it was starting'));
    await this.#attempt?.catch(() => {});
    this.#cancelRestart?.();
    this.#cancelRestart = undefined;
    this.#attemptAbort = new AbortController();
    const connection = this.#connection;
    this.#connection = undefined;
    this.#failureTimes = [];
    if (connection !== undefined) {
      this.#enter('stopping');
      await connection.close(this.#unavailable('was restarted, as asked, or had been idle'));
    }
    if (!this.#abort.signal.aborted) this.#enter('idle');
    this.#wake();
  }

  #start(): Promise<Connection> {
    this.#enter('starting', 'has not answered initialize yet');
    this.#attempt = this.#tryOnce().finally(() => {
      this.#attempt = undefined;
    });
    return this.#attempt;
  }

  async #tryOnce(): Promise<Connection> {
    try {
      let connection: Connection | undefined;
      let endedEarly: ToolsiftError | undefined;
      connection = await this.#options.open(
        AbortSignal.any([this.#abort.signal, this.#attemptAbort.signal]),
        (reason) => {
          if (connection === undefined) endedEarly = reason;
          else this.#lost(connection, reason);
        },
      );
      if (endedEarly !== undefined) throw endedEarly;
      if (this.#abort.signal.aborted) {
        await connection.close();
        throw this.#abort.signal.reason;
      }
      this.#connection = connection;
      this.#readySince = this.#options.clock.now();
      this.#enter('ready');
      this.#options.onready(connection);
      return connection;
    } catch (error) {
      const failure = error instanceof ToolsiftError ? error : startFailure(error);
      this.#failed(failure);
      throw failure;
    }
  }

  #lost(connection: Connection, reason: ToolsiftError): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    const uptime = this.#options.clock.now() - this.#readySince;
    if (uptime >= this.#options.policy.stableMs) this.#failureTimes = [];
    this.#failed(reason);
  }

  #failed(failure: ToolsiftError): void {
    if (this.#abort.signal.aborted) return;
    this.#lastFailure = failure;
    const pauseMs = Math.max(MIN_PAUSE_BETWEEN_TRIES_MS, failure.facts.retryAfterMs ?? 0);
    this.#earliestTry = this.#options.clock.now() + pauseMs;
    const parked = PARKED_IN.get(failure.code);
    if (parked === undefined) this.#scheduleRestart(failure);
    else this.#enter(parked, failure.message);
  }

  #scheduleRestart(failure: ToolsiftError): void {
    const { clock, policy } = this.#options;
    this.#failureTimes.push(clock.now());
    const decision = decideRestart(this.#failureTimes, clock.now(), policy, clock.random());
    if (decision.kind === 'give-up') {
      const text = `${failure.message}; gave up after ${decision.failures} failures, the next call tries again`;
      this.#lastFailure = new ToolsiftError('upstream_gave_up', text, {
        cause: failure,
        facts: failure.facts,
      });
      this.#enter('failed', text);
      return;
    }
    const delayMs = Math.max(decision.delayMs, failure.facts.retryAfterMs ?? 0);
    this.#enter('backoff', failure.message);
    this.#restartAt = clock.now() + delayMs;
    this.#cancelRestart = clock.after(delayMs, () => this.#restart());
  }

  #restart(): void {
    this.#cancelRestart = undefined;
    if (this.#options.isWantedUnasked()) {
      // A failure is recorded and met with the next pause; nobody waits for this promise.
      this.#start().catch(() => {});
    } else {
      this.#enter('idle', this.#status.reason);
    }
    this.#wake();
  }

  /** The last failure, and when a call may try again. */
  #failureUntil(time: number): ToolsiftError {
    const failure = this.#lastFailure as ToolsiftError;
    const seconds = Math.max(1, Math.ceil((time - this.#options.clock.now()) / 1000));
    return new ToolsiftError(
      failure.code,
      `${failure.message}; a call can start it again in ${seconds} s`,
      failure,
    );
  }

  #wake(): void {
    const waiters = this.#wakeWaiters;
    this.#wakeWaiters = [];
    for (const resolve of waiters) resolve();
  }

  #enter(state: UpstreamState, reason?: string): void {
    const since = this.#options.clock.now();
    this.#status = { state, since, ...(reason === undefined ? {} : { reason }) };
    this.#options.onstatus(this.#status);
  }

  #unavailable(why: string): ToolsiftError {
    return new ToolsiftError('upstream_unavailable', why, { facts: { server: this.#options.name } });
  }
}

function startFailure(error: unknown): ToolsiftError {
  return new ToolsiftError('upstream_start_failed', `could not be started: ${errorText(error)}`, {
    cause: error,
  });
}
