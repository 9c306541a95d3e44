/** How much of each end of an oversized line is kept, to name it and to find its id. */
const KEPT_BYTES = 512;
const LINE_FEED = 0x0a;

export interface LineReaderOptions {
  /** Longest line kept, in bytes without its end. */
  readonly limit: number;
  readonly online: (line: Buffer) => void;
  /** A longer line, once it has ended: its length, its first and its last bytes. */
  readonly onoversize: (length: number, head: Buffer, tail: Buffer) => void;
}

/**
 * Splits a stream of bytes into lines. Chunks are kept in a list and joined once per line, so the cost does not
 * grow with the square of the length. Lines are cut on bytes: a character split between chunks stays whole.
 */
export class LineReader {
  readonly #options: LineReaderOptions;
  #chunks: Buffer[] = [];
  #length = 0;
  #head: Buffer | undefined;

  constructor(options: LineReaderOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, start);
      if (end < 0) break;
      this.#take(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    if (start < chunk.length) this.#take(chunk.subarray(start));
  }

  /** Hands out what stands after the last line end; call it when the stream has ended. */
  end(): void {
    if (this.#length > 0) this.#finish();
  }

  #take(piece: Buffer): void {
    this.#length += piece.length;
    this.#chunks.push(piece);
    if (this.#length <= this.#options.limit) return;
    const joined = Buffer.concat(this.#chunks);
    this.#head ??= Buffer.from(joined.subarray(0, KEPT_BYTES));
    this.#chunks = [Buffer.from(joined.subarray(-KEPT_BYTES))];
  }

  #finish(): void {
    const line = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    const length = this.#length;
    const head = this.#head;
    this.#chunks = [];
    this.#length = 0;
    this.#head = undefined;
    if (head !== undefined) this.#options.onoversize(length, head, line);
    else if (length > 0) this.#options.online(line);
  }
}
