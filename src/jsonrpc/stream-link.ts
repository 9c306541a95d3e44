import type { Readable, Writable } from 'node:stream';
import { notTaken } from '../errors.ts';
import type { Chunk } from '../json/splice.ts';
import type { Link, LinkHandlers } from './link.ts';
import type { About } from './message.ts';
import { StreamReader } from './stream-reader.ts';
import { StreamWriter } from './stream-writer.ts';

/** Who leaves so much untaken gets no further requests, and is not listened to, until it has taken it. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

export interface StreamLinkOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Longest message accepted, in bytes; looked at when one comes. */
  readonly maxMessageBytes: number;
}

/** A link over a pair of byte streams, one message a line: MCP's stdio transport, seen from either end. */
export class StreamLink implements Link {
  readonly #options: StreamLinkOptions;
  readonly #writer: StreamWriter;
  #reader: StreamReader | undefined;
  #handlers: LinkHandlers | undefined;
  #closed = false;

  constructor(options: StreamLinkOptions) {
    this.#options = options;
    this.#writer = new StreamWriter(options.output);
  }

  async start(handlers: LinkHandlers): Promise<void> {
    this.#handlers = handlers;
    const options = this.#options;
    const { input, output } = options;
    const { onframe, onfault } = handlers;
    const reader = new StreamReader({
      input,
      get maxMessageBytes() {
        return options.maxMessageBytes;
      },
      onframe,
      onfault,
    });
    this.#reader = reader;
    input.once('end', () => {
      reader.end();
      this.#finish(new Error('the stream ended'));
    });
    input.once('close', () => this.#finish(new Error('the stream was closed')));
    input.once('error', (error) => this.#finish(error));
    output.on('error', (error) => this.#finish(error));
    reader.start();
  }

  send(message: readonly Chunk[], about: About): void {
    if (this.#closed || this.#options.output.destroyed) return;
    const { waitingBytes } = this.#writer;
    const isStuck = waitingBytes > MAX_WAITING_BYTES;
    if (isStuck && about.kind === 'request') {
      const fault = { kind: 'lost', id: about.id, error: notTaken(waitingBytes) } as const;
      queueMicrotask(() => this.#handlers?.onfault(fault));
      return;
    }
    this.#writer.write(message, isStuck ? this.#reader : about.source?.frame.origin);
  }

  /** Ends the outgoing stream; the other side is expected to leave. */
  async close(): Promise<void> {
    if (!this.#closed) this.#writer.flush();
    this.#options.output.end();
  }

  #finish(reason: Error): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#writer.release();
    this.#handlers?.onclose(reason);
  }
}
