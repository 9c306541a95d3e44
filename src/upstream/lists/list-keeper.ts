import { messageOf, ToolsiftError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import type { Clock } from '../clock.ts';
import type { Connection } from '../connection.ts';
import type { ListLimits } from './list-budget.ts';
import { readServerLists, type ServerLists } from './server-lists.ts';

/** Longest reading of all lists; a server that takes longer is given up on for now. */
const READ_TIMEOUT_MS = 30_000;
/** Notices that arrive together lead to one reading. */
const BURST_MS = 50;
/** Pauses before further tries when the first reading failed or gave no tools; some servers need a while. */
const RETRY_DELAYS_MS = [1000, 5000, 30_000];

export interface ListKeeperOptions {
  readonly name: string;
  readonly connection: Connection;
  readonly clock: Clock;
  readonly log: Logger;
  /** What the lists may bring, as configured now. */
  readonly limits: () => ListLimits;
  /** The upstream lists more than that. */
  readonly ontoolarge: (error: ToolsiftError) => void;
  /** What may be shown of something the upstream wrote. */
  readonly quote: (text: string) => string;
  /** `isFinal` is false for tools that could not be read, or came out empty and are read again soon. */
  readonly onlists: (lists: ServerLists, isFinal: boolean) => void;
}

/**
 * Keeps what is known of an upstream's lists up to date for as long as one connection lasts: read at the start,
 * after each change it announces, and again when a first reading failed.
 */
export class ListKeeper {
  readonly #options: ListKeeperOptions;
  readonly #abort = new AbortController();
  #reading: Promise<void> | undefined;
  #isStale = false;
  #cancelTimer: (() => void) | undefined;
  #retries = 0;
  #problem: string | undefined;
  #isRetrying = false;
  #waiting: (() => void)[] = [];

  constructor(options: ListKeeperOptions) {
    this.#options = options;
  }

  /** Why the tools could not be read the last time; undefined when they could. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Reads the lists, or joins the reading under way. Never throws: what went wrong is logged and tried again. */
  read(): Promise<void> {
    this.#reading ??= this.#readUntilFresh().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** The upstream says that a list has changed. */
  changed(): void {
    this.#isStale = true;
    if (this.#reading === undefined) this.#later(BURST_MS);
  }

  /** Resolves when no announced change is unread any more. */
  async untilRead(): Promise<void> {
    if (this.#isStale || this.#reading !== undefined) await this.read();
  }

  /** Resolves when the tools have been read, or there is no further try to wait for. */
  async untilFinal(): Promise<void> {
    await this.untilRead();
    while (this.#problem !== undefined && this.#isRetrying && !this.#abort.signal.aborted) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  close(): void {
    this.#cancelTimer?.();
    this.#abort.abort();
    this.#wake();
  }

  async #readUntilFresh(): Promise<void> {
    do {
      this.#isStale = false;
      this.#cancelTimer?.();
      await this.#readOnce();
      this.#wake();
    } while (this.#isStale);
  }

  async #readOnce(): Promise<void> {
    const { name, connection, log, limits, ontoolarge, onlists, quote } = this.#options;
    const timeout = AbortSignal.timeout(READ_TIMEOUT_MS);
    try {
      const signal = AbortSignal.any([this.#abort.signal, timeout]);
      const { lists, problems } = await readServerLists(connection, { signal, limits: limits() }, quote);
      for (const text of problems) log.warn(`server "${name}" ${text}`);
      this.#problem = lists.tools === undefined ? problems[0] : undefined;
      const isEmpty = lists.tools?.length === 0 && connection.capabilities.has('tools');
      const isRetried = this.#retryLater(problems.length > 0 || isEmpty);
      onlists(lists, lists.tools !== undefined && !(isEmpty && isRetried));
    } catch (error) {
      if (this.#abort.signal.aborted || connection.peer.isClosed) return;
      const isTooLarge = error instanceof ToolsiftError && error.code === 'upstream_lists_too_large';
      this.#problem = timeout.aborted
        ? `did not list its tools within ${READ_TIMEOUT_MS / 1000} s`
        : isTooLarge
          ? messageOf(error)
          : quote(messageOf(error));
      log.warn(`server "${name}" ${this.#problem}`);
      if (isTooLarge) {
        ontoolarge(error);
        return;
      }
      // Who is silent for so long is asked again when it announces a change, or starts anew.
      this.#retryLater(!timeout.aborted);
    }
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  #retryLater(isNeeded: boolean): boolean {
    if (!isNeeded) this.#retries = 0;
    const delay = isNeeded ? RETRY_DELAYS_MS[this.#retries++] : undefined;
    this.#isRetrying = delay !== undefined;
    if (delay !== undefined) this.#later(delay);
    return this.#isRetrying;
  }

  #later(ms: number): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#options.clock.after(ms, () => void this.read());
  }
}
