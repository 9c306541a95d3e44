import { ToolsiftError } from '../errors.ts';
import { afterFailure, startFailure, tooSoon } from './after-failure.ts';
import type { Connection } from './connection.ts';
import type { SupervisorOptions } from './supervisor-options.ts';
import {
  type Backoff,
  type Failed,
  type Resting,
  type Stopping,
  type SupervisorState,
  shownAs,
} from './supervisor-state.ts';
import type { UpstreamStatus } from './upstream-status.ts';

/** Said of calls that come too late. */
const STOPPED = 'was stopped: toolsift is leaving, or its entry was removed or changed';
const RESTARTED_EARLY = 'was restarted while it was starting';
const RESTARTED = 'was restarted, as asked, or had been idle';
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
  #state: SupervisorState = { kind: 'idle' };
  #status: UpstreamStatus;
  #failureTimes: number[] = [];

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#status = { state: 'idle', since: options.clock.now() };
  }

  get status(): UpstreamStatus {
    return this.#status;
  }

  /** The open connection, if there is one. */
  get connection(): Connection | undefined {
    return this.#state.kind === 'ready' ? this.#state.connection : undefined;
  }

  /**
   * The connection, started first where need be. Callers share one start.
   *
   * @param initializeParams the `params` of `initialize` for a start
   * @throws ToolsiftError that says why there is none
   */
  async connect(initializeParams: string): Promise<Connection> {
    const state = this.#state;
    switch (state.kind) {
      case 'ready':
        return state.connection;
      case 'starting':
        return state.attempt;
      case 'idle':
        return this.#start(initializeParams, state.failure);
      case 'resting':
        await state.done;
        return this.connect(initializeParams);
      case 'stopping':
      case 'stopped':
        throw this.#unavailable(STOPPED);
      case 'parked':
        if (state.as === 'needs_login') throw state.failure;
        return this.#tryAgain(initializeParams, state);
      case 'backoff':
        if (state.restartAt - this.#options.clock.now() > MAX_WAIT_FOR_RESTART_MS)
          return this.#tryAgain(initializeParams, state);
        await state.over;
        return this.connect(initializeParams);
    }
  }

  /** Ends the connection until the next use; what failed before is forgotten. */
  rest(): Promise<void> {
    const state = this.#state;
    if (state.kind === 'resting') return state.done;
    if (state.kind === 'stopping' || state.kind === 'stopped') return Promise.resolve();
    this.#failureTimes = [];
    if (state.kind !== 'starting' && state.kind !== 'ready') {
      this.#enter({ kind: 'idle' });
      return Promise.resolve();
    }
    const resting: Resting = {
      kind: 'resting',
      done: this.#end(state, state.kind === 'starting' ? RESTARTED_EARLY : RESTARTED).then(() => {
        if (this.#state === resting) this.#enter({ kind: 'idle' });
      }),
    };
    this.#enter(resting);
    return resting.done;
  }

  /** Ends the connection and whatever is being started, for good. */
  stop(): Promise<void> {
    const state = this.#state;
    if (state.kind === 'stopping') return state.done;
    if (state.kind === 'stopped') return Promise.resolve();
    const stopping: Stopping = {
      kind: 'stopping',
      done: this.#end(state, STOPPED).then(() => this.#enter({ kind: 'stopped' })),
    };
    this.#enter(stopping);
    return stopping.done;
  }

  /** Somebody has logged in: what was refused before is tried again, at once where it is wanted unasked. */
  loggedIn(): void {
    const state = this.#state;
    if (state.kind !== 'parked' || state.as !== 'needs_login') return;
    this.#enter({ kind: 'idle' });
    if (this.#options.isWantedUnasked()) this.#startUnasked(state);
  }

  /** Ends what is going on in a state that is left for good. */
  async #end(state: SupervisorState, why: string): Promise<void> {
    // First the state is left, so that the end of its connection counts as no failure.
    await Promise.resolve();
    const reason = this.#unavailable(why);
    if (state.kind === 'ready') await state.connection.close(reason);
    if (state.kind === 'resting') await state.done;
    if (state.kind === 'starting') {
      state.abort.abort(reason);
      // Whoever waits for it is told.
      await state.attempt.catch(() => {});
    }
  }

  #tryAgain(initializeParams: string, failed: Failed): Promise<Connection> {
    const waitMs = failed.notBefore - this.#options.clock.now();
    if (waitMs <= 0) return this.#start(initializeParams, failed.failure);
    throw tooSoon(failed.failure, waitMs);
  }

  #start(initializeParams: string, failure: ToolsiftError | undefined): Promise<Connection> {
    const abort = new AbortController();
    const attempt = this.#open(initializeParams, abort);
    this.#enter({ kind: 'starting', initializeParams, attempt, abort, failure });
    return attempt;
  }

  #startUnasked({ initializeParams, failure }: Pick<Failed, 'initializeParams' | 'failure'>): void {
    // A failure is recorded and met with the next pause; nobody waits for this promise.
    this.#start(initializeParams, failure).catch(() => {});
  }

  async #open(initializeParams: string, abort: AbortController): Promise<Connection> {
    const { signal } = abort;
    try {
      const connection = await this.#openOnce(initializeParams, signal);
      if (signal.aborted) {
        await connection.close();
        throw signal.reason;
      }
      this.#enter({ kind: 'ready', connection, since: this.#options.clock.now() });
      this.#options.onready(connection);
      return connection;
    } catch (error) {
      const failure = startFailure(error);
      const state = this.#state;
      if (state.kind === 'starting' && state.abort === abort) this.#failed(initializeParams, failure);
      throw failure;
    }
  }

  async #openOnce(initializeParams: string, signal: AbortSignal): Promise<Connection> {
    let connection: Connection | undefined;
    let endedEarly: ToolsiftError | undefined;
    connection = await this.#options.open({
      initializeParams,
      signal,
      onclose: (reason) => {
        if (connection === undefined) endedEarly = reason;
        else this.#lost(connection, initializeParams, reason);
      },
    });
    if (endedEarly !== undefined) throw endedEarly;
    return connection;
  }

  #lost(connection: Connection, initializeParams: string, reason: ToolsiftError): void {
    const state = this.#state;
    if (state.kind !== 'ready' || state.connection !== connection) return;
    const uptime = this.#options.clock.now() - state.since;
    if (uptime >= this.#options.policy.stableMs) this.#failureTimes = [];
    this.#failed(initializeParams, reason);
  }

  #failed(initializeParams: string, failure: ToolsiftError): void {
    const { clock, policy } = this.#options;
    const now = clock.now();
    const pauseMs = Math.max(MIN_PAUSE_BETWEEN_TRIES_MS, failure.facts.retryAfterMs ?? 0);
    const failed = { initializeParams, failure, notBefore: now + pauseMs };
    const consequence = afterFailure({
      failure,
      failureTimes: this.#failureTimes,
      now,
      policy,
      random: clock.random(),
    });
    if (consequence.kind === 'backoff') this.#backOff(failed, consequence.delayMs);
    else this.#enter({ ...failed, ...consequence });
  }

  #backOff(failed: Failed, delayMs: number): void {
    const { clock } = this.#options;
    let leave = () => {};
    const over = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const backoff: Backoff = {
      kind: 'backoff',
      ...failed,
      restartAt: clock.now() + delayMs,
      cancelRestart: clock.after(delayMs, () => this.#restart(failed)),
      over,
      leave,
    };
    this.#enter(backoff);
  }

  #restart(failed: Failed): void {
    if (this.#options.isWantedUnasked()) this.#startUnasked(failed);
    else this.#enter({ kind: 'idle', failure: failed.failure });
  }

  #enter(state: SupervisorState): void {
    const before = this.#state;
    this.#state = state;
    this.#status = { ...shownAs(state), since: this.#options.clock.now() };
    this.#options.onstatus(this.#status);
    if (before.kind !== 'backoff') return;
    before.cancelRestart();
    before.leave();
  }

  #unavailable(why: string): ToolsiftError {
    return new ToolsiftError('upstream_unavailable', why, { facts: { server: this.#options.name } });
  }
}
