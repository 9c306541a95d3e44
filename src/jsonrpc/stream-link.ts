import type { Readable, Writable } from 'node:stream';
import { type Chunk, joinChunks } from '../json/splice.ts';
import { readFrames } from './frame.ts';
import { LineReader } from './line-reader.ts';
import type { Link, LinkHandlers } from './link.ts';
import { readOversize } from './oversize.ts';

/** Below this what is sent is copied into one piece; above, copying costs more than it saves. */
const ONE_WRITE_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;
/** More than is quoted of it: what is hidden in the quote must be recognised. */
const JUNK_KEPT_BYTES = 4096;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export interface StreamLinkOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Longest message accepted, in bytes. */
  readonly maxMessageBytes: number;
}

/** A link over a pair of byte streams, one message a line: MCP's stdio transport, seen from either end. */
export class StreamLink implements Link {
  readonly #options: StreamLinkOptions;
  readonly #reader: LineReader;
  #handlers: LinkHandlers | undefined;
  #closed = false;
  #unsent: Chunk[] = [];
  #unsentBytes = 0;
  #isFlushing = false;

  constructor(options: StreamLinkOptions) {
    this.#options = options;
    this.#reader = new LineReader({
      limit: options.maxMessageBytes,
      online: (line) => this.#read(line),
      onoversize: (bytes, head, tail) =>
        this.#handlers?.onfault({
          kind: 'oversize',
          bytes,
          limit: options.maxMessageBytes,
          ...readOversize(head, tail),
        }),
    });
  }

  async start(handlers: LinkHandlers): Promise<void> {
    this.#handlers = handlers;
    const { input, output } = this.#options;
    input.on('data', (chunk: Buffer) => this.#reader.push(chunk));
    input.once('end', () => {
      this.#reader.end();
      this.#finish(new Error('the stream ended'));
    });
    input.once('close', () => this.#finish(new Error('the stream was closed')));
    input.once('error', (error) => this.#finish(error));
    output.on('error', (error) => this.#finish(error));
  }

  send(message: readonly Chunk[]): void {
    if (this.#closed || this.#options.output.destroyed) return;
    let bytes = 0;
    for (const chunk of message) {
      bytes += chunk.length;
      this.#unsent.push(onOneLine(chunk));
    }
    this.#unsent.push('\n');
    this.#unsentBytes += bytes;
    if (this.#unsentBytes >= ONE_WRITE_BYTES) this.#flush();
    else if (!this.#isFlushing) {
      this.#isFlushing = true;
      process.nextTick(() => this.#flush());
    }
  }

  /** Ends the outgoing stream; the other side is expected to leave. */
  async close(): Promise<void> {
    this.#flush();
    this.#options.output.end();
  }

  /** What is sent in one turn leaves in one write; large pieces are handed to the kernel uncopied. */
  #flush(): void {
    const { output } = this.#options;
    const chunks = this.#unsent;
    const isSmall = this.#unsentBytes < ONE_WRITE_BYTES;
    this.#unsent = [];
    this.#unsentBytes = 0;
    this.#isFlushing = false;
    if (this.#closed || chunks.length === 0) return;
    if (isSmall) {
      output.write(joinChunks(chunks));
      return;
    }
    output.cork();
    for (const chunk of chunks) output.write(chunk);
    output.uncork();
  }

  #read(raw: Buffer): void {
    const line = raw.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? raw.subarray(3) : raw;
    if (isBlank(line)) return;
    const frames = readFrames(line);
    if (frames.length === 0) {
      this.#handlers?.onfault({ kind: 'junk', line: line.toString('utf8', 0, JUNK_KEPT_BYTES) });
    }
    for (const frame of frames) this.#handlers?.onframe(frame);
  }

  #finish(reason: Error): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#handlers?.onclose(reason);
  }
}

function isBlank(line: Buffer): boolean {
  return line.length < 3 && line.toString('latin1').trim() === '';
}

/** A line is what ends a message, so white space that breaks lines, as in a pretty-printed body, becomes blanks. */
function onOneLine(chunk: Chunk): Chunk {
  if (typeof chunk === 'string') return /[\n\r]/.test(chunk) ? chunk.replace(/[\n\r]/g, ' ') : chunk;
  if (chunk.indexOf(LINE_FEED) < 0 && chunk.indexOf(CARRIAGE_RETURN) < 0) return chunk;
  return chunk.map((byte) => (byte === LINE_FEED || byte === CARRIAGE_RETURN ? BLANK : byte));
}
