import { errorText } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Clock } from './clock.ts';
import type { Connection } from './connection.ts';
import { readServerLists, type ServerLists } from './server-lists.ts';

/** Notices that arrive together lead to one reading. */
const SETTLE_MS = 50;
/** Pauses before further tries when the first reading failed or gave no tools; some servers need a while. */
const RETRY_DELAYS_MS = [1000, 5000, 30_000];

export interface ListKeeperOptions {
  readonly name: string;
  readonly connection: Connection;
  readonly clock: Clock;
  readonly log: Logger;
  /** `isFinal` is false for lists that failed or came out empty and are read again soon. */
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

  constructor(options: ListKeeperOptions) {
    this.#options = options;
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
    if (this.#reading === undefined) this.#later(SETTLE_MS);
  }

  /** Resolves when no announced change is unread any more. */
  async settled(): Promise<void> {
    if (this.#isStale || this.#reading !== undefined) await this.read();
  }

  close(): void {
    this.#cancelTimer?.();
    this.#abort.abort();
  }

  async #readUntilFresh(): Promise<void> {
    do {
      this.#isStale = false;
      this.#cancelTimer?.();
      await this.#readOnce();
    } while (this.#isStale);
  }

  async #readOnce(): Promise<void> {
    const { name, connection, log, onlists } = this.#options;
    try {
      const { lists, problem } = await readServerLists(connection, this.#abort.signal);
      if (problem !== undefined) log.warn(`server "${name}" ${problem}`);
      const isEmpty = lists.tools.length === 0 && connection.capabilities.has('tools');
      const delay = problem !== undefined || isEmpty ? RETRY_DELAYS_MS[this.#retries++] : undefined;
      onlists(lists, problem === undefined && delay === undefined);
      if (delay !== undefined) this.#later(delay);
    } catch (error) {
      if (!this.#abort.signal.aborted) log.debug(`server "${name}": lists not read: ${errorText(error)}`);
    }
  }

  #later(ms: number): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#options.clock.after(ms, () => void this.read());
  }
}
