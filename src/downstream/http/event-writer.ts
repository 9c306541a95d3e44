import type { ServerResponse } from 'node:http';

const KEEP_ALIVE_MS = 15_000;
/** A reader that takes nothing for so long is taken to be gone. */
const STALL_MS = 60_000;
const COMMENT = ': alive\n\n';

export interface EventWriterOptions {
  readonly response: ServerResponse;
  /** A stream with so much unread is ended when more is to be written. */
  readonly maxUnreadBytes: number;
  readonly onclose: (writer: EventWriter) => void;
}

/** One HTTP response that is a stream of events, for as long as its reader reads. */
export class EventWriter {
  readonly #options: EventWriterOptions;
  readonly #keepAlive: NodeJS.Timeout;
  #isOpen = true;

  constructor(options: EventWriterOptions) {
    this.#options = options;
    const { response } = options;
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      // Asks nginx not to hold events back.
      'x-accel-buffering': 'no',
    });
    response.flushHeaders();
    response.setTimeout(STALL_MS, () => response.destroy());
    response.once('close', () => this.#close());
    response.on('error', () => this.#close());
    // Nothing is written to a reader that stalls, so that the time limit above can pass.
    this.#keepAlive = setInterval(() => {
      if (response.writableLength === 0) response.write(COMMENT);
    }, KEEP_ALIVE_MS).unref();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** @returns whether it was handed to the connection; if not, the stream has ended */
  write(text: Uint8Array | string): boolean {
    const { response, maxUnreadBytes } = this.#options;
    if (!this.#isOpen) return false;
    if (response.writableLength > maxUnreadBytes) {
      response.destroy();
      this.#close();
      return false;
    }
    response.write(text);
    return true;
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#options.response.end();
    this.#close();
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearInterval(this.#keepAlive);
    this.#options.onclose(this);
  }
}
