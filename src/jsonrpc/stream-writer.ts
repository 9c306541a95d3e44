import type { Writable } from 'node:stream';
import { type Chunk, joinChunks } from '../json/splice.ts';
import type { Origin } from './frame.ts';

/** Below this what is sent is copied into one piece; above, copying costs more than it saves. */
const ONE_WRITE_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;

/** Writes messages to a stream, and holds whoever they came from while the other side does not take them. */
export class StreamWriter {
  readonly #output: Writable;
  #unsent: Chunk[] = [];
  #unsentBytes = 0;
  #isFlushing = false;
  readonly #origins = new Set<Origin>();
  readonly #held = new Map<Origin, () => void>();

  constructor(output: Writable) {
    this.#output = output;
    output.on('drain', () => this.release());
  }

  /** What the other side has yet to take, in bytes. */
  get waitingBytes(): number {
    return this.#unsentBytes + this.#output.writableLength;
  }

  /** @param origin where the message came from; it is held while this stream is not taken */
  write(message: readonly Chunk[], origin: Origin | undefined): void {
    if (origin !== undefined) this.#origins.add(origin);
    for (const chunk of message) {
      this.#unsentBytes += chunk.length;
      this.#unsent.push(onOneLine(chunk));
    }
    this.#unsent.push('\n');
    if (this.#unsentBytes >= ONE_WRITE_BYTES) this.flush();
    else if (!this.#isFlushing) {
      this.#isFlushing = true;
      process.nextTick(() => this.flush());
    }
  }

  /** What is sent in one turn leaves in one write; large pieces are handed to the kernel uncopied. */
  flush(): void {
    const chunks = this.#unsent;
    const isSmall = this.#unsentBytes < ONE_WRITE_BYTES;
    this.#unsent = [];
    this.#unsentBytes = 0;
    this.#isFlushing = false;
    if (chunks.length === 0 || this.#output.destroyed) return;
    if (isSmall) this.#output.write(joinChunks(chunks));
    else {
      this.#output.cork();
      for (const chunk of chunks) this.#output.write(chunk);
      this.#output.uncork();
    }
    if (this.#output.writableNeedDrain) this.#holdOrigins();
    this.#origins.clear();
  }

  /** Lets all that were held go on. */
  release(): void {
    const held = [...this.#held.values()];
    this.#held.clear();
    for (const letGo of held) letGo();
  }

  #holdOrigins(): void {
    for (const origin of this.#origins) {
      if (!this.#held.has(origin)) this.#held.set(origin, origin.hold());
    }
  }
}

/** A line is what ends a message, so white space that breaks lines, as in a pretty-printed body, becomes blanks. */
function onOneLine(chunk: Chunk): Chunk {
  if (typeof chunk === 'string') return /[\n\r]/.test(chunk) ? chunk.replace(/[\n\r]/g, ' ') : chunk;
  if (chunk.indexOf(LINE_FEED) < 0 && chunk.indexOf(CARRIAGE_RETURN) < 0) return chunk;
  return chunk.map((byte) => (byte === LINE_FEED || byte === CARRIAGE_RETURN ? BLANK : byte));
}
