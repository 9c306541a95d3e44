import { MessageBuffer } from './message-buffer.ts';

const LINE_FEED = 0x0a;
const EMPTY = Buffer.alloc(0);

export interface LineReaderOptions {
  /** Longest line kept, in bytes without its end. */
  readonly limit: number;
  readonly online: (line: Buffer) => void;
  /** A longer line, once it has ended: its length, its first and its last bytes. */
  readonly onoversize: (length: number, head: Buffer, tail: Buffer) => void;
}

/** Splits a stream of bytes into lines. Lines are cut on bytes: a character split between chunks stays whole. */
export class LineReader {
  readonly #options: LineReaderOptions;
  readonly #line: MessageBuffer;
  readonly #unread: Buffer[] = [];
  #chunk: Buffer = EMPTY;
  #at = 0;

  constructor(options: LineReaderOptions) {
    this.#options = options;
    this.#line = new MessageBuffer(() => options.limit);
  }

  /** Takes what the stream brings; `next` reads it. */
  push(chunk: Buffer): void {
    this.#unread.push(chunk);
  }

  /** Hands out the next line that has its end; false when none is there. Blank lines are none. */
  next(): boolean {
    for (;;) {
      const end = this.#chunk.indexOf(LINE_FEED, this.#at);
      if (end >= 0) {
        this.#line.append(this.#chunk.subarray(this.#at, end));
        this.#at = end + 1;
        if (this.#finish()) return true;
      } else if (!this.#nextChunk()) return false;
    }
  }

  /** Hands out what stands after the last line end; call it when the stream has ended and all else is read. */
  end(): void {
    this.#finish();
  }

  /** Keeps the rest of this chunk and goes on with the next, if there is one. */
  #nextChunk(): boolean {
    if (this.#at < this.#chunk.length) {
      this.#line.append(this.#chunk.subarray(this.#at));
      this.#line.settle();
    }
    this.#at = 0;
    const chunk = this.#unread.shift();
    this.#chunk = chunk ?? EMPTY;
    return chunk !== undefined;
  }

  #finish(): boolean {
    const { ends, length } = this.#line;
    const line = this.#line.take();
    if (ends !== undefined) this.#options.onoversize(ends.bytes, ends.head, ends.tail);
    else if (length > 0) this.#options.online(line);
    return length > 0;
  }
}
