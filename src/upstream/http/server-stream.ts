import { setTimeout as pause } from 'node:timers/promises';
import type { LinkHandlers } from '../../jsonrpc/link.ts';
import { isEventStream, readEvents } from './body.ts';
import type { HttpSession } from './http-session.ts';
import { Reconnects } from './reconnects.ts';
import { SeenIds } from './sse-seen-ids.ts';

/** A stream that lasted this long was a good one, even if nothing was said. */
const GOOD_STREAM_MS = 10_000;

export interface ServerStreamOptions {
  readonly session: HttpSession;
  readonly limit: number;
  readonly onframe: LinkHandlers['onframe'];
  readonly onfault: LinkHandlers['onfault'];
  /** A server that had the stream refuses it now. */
  readonly onrefused: () => void;
}

/**
 * The stream on which a server says what belongs to no request: changed lists, log messages, requests of its own.
 * Servers need not have it. Where it breaks it is opened again, after growing pauses, one attempt at a time.
 */
export class ServerStream {
  readonly #options: ServerStreamOptions;
  readonly #abort = new AbortController();
  readonly #seen = new SeenIds();
  #lastEventId: string | undefined;
  #wasOpen = false;
  readonly #reconnects = new Reconnects();

  constructor(options: ServerStreamOptions) {
    this.#options = options;
  }

  /** Runs until the server turns out to have no such stream, or `stop`. */
  async run(): Promise<void> {
    const { signal } = this.#abort;
    try {
      while (await this.#readOnce(signal)) {
        await pause(this.#reconnects.pauseMs(), undefined, { ref: false, signal });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  stop(): void {
    this.#abort.abort();
  }

  /** @returns whether to try again */
  async #readOnce(signal: AbortSignal): Promise<boolean> {
    const openedAt = Date.now();
    let isGood = false;
    this.#seen.nextStream();
    try {
      const { status, headers, body } = await this.#options.session.get(this.#lastEventId, signal);
      const isStream = status === 200 && isEventStream(headers);
      if (!isStream) {
        body.destroy();
        if (status < 500 && status !== 429) {
          if (this.#wasOpen) this.#options.onrefused();
          return false;
        }
      } else {
        this.#wasOpen = true;
        const options = this.#options;
        await readEvents(body, {
          ...options,
          get limit() {
            return options.limit;
          },
          onid: (id) => {
            isGood = true;
            this.#lastEventId = id;
          },
          onretry: (ms) => this.#reconnects.ask(ms),
          onframe: (frame) => {
            this.#reconnects.brought();
            this.#options.onframe(frame);
          },
          isDuplicate: (id) => this.#seen.isRepeated(id),
        });
      }
    } catch {
      // Why a stream broke makes no difference to what is done about it.
    }
    this.#reconnects.ended({ isFailure: !isGood && Date.now() - openedAt <= GOOD_STREAM_MS });
    return !signal.aborted;
  }
}
