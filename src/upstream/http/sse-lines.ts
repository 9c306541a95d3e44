const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Whether the byte at `at` continues a byte order mark of which `length` bytes have been read. */
export function isByteOrderMark(bytes: Buffer, at: number, length: number): boolean {
  return length < BYTE_ORDER_MARK.length && bytes[at] === BYTE_ORDER_MARK[length];
}

/**
 * Where the lines of a stream end: at a line feed, a carriage return, or both, also when they come in two chunks.
 * Each byte of a chunk is looked at a bounded number of times, however many lines there are.
 */
export class LineEnds {
  #chunk: Buffer = Buffer.alloc(0);
  #feed = -1;
  #return = -1;
  #endedWithReturn = false;

  begin(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#feed = -1;
    this.#return = -1;
  }

  /** Past a line feed that belongs to the carriage return before it, the last byte of an earlier chunk. */
  skipFeed(at: number): number {
    if (at >= this.#chunk.length) return at;
    const isSecondHalf = this.#endedWithReturn && this.#chunk[at] === LINE_FEED;
    this.#endedWithReturn = false;
    return isSecondHalf ? at + 1 : at;
  }

  /** The next line end at or after `at`; beyond the chunk where there is none. */
  endFrom(at: number): number {
    const byte = this.#chunk[at];
    if (byte === LINE_FEED || byte === CARRIAGE_RETURN) return at;
    if (this.#feed < at) this.#feed = this.#find(LINE_FEED, at);
    if (this.#return < at) this.#return = this.#find(CARRIAGE_RETURN, at);
    return Math.min(this.#feed, this.#return);
  }

  /** Where the line after the one that ends at `end` begins. */
  after(end: number): number {
    if (this.#chunk[end] !== CARRIAGE_RETURN) return end + 1;
    this.#endedWithReturn = end + 1 === this.#chunk.length;
    return this.#chunk[end + 1] === LINE_FEED ? end + 2 : end + 1;
  }

  #find(byte: number, at: number): number {
    const found = this.#chunk.indexOf(byte, at);
    return found < 0 ? Number.POSITIVE_INFINITY : found;
  }
}
