/** How much of each end of an oversized message is kept, to name it and to find its id. */
const KEPT_BYTES = 512;
/** Larger pieces stay where they came; smaller ones are copied together when they have to wait. */
const LARGE_PIECE_BYTES = 16 * 1024;
const TAIL_ROOM_BYTES = 8 * 1024;
const EMPTY = Buffer.alloc(0);

/** What is left of a message above the limit. */
export interface Ends {
  readonly bytes: number;
  readonly head: Buffer;
  readonly tail: Buffer;
}

/**
 * The bytes of one message, as they come in pieces. Within one chunk of a stream nothing is copied; what has to
 * wait for the next one is copied out of small pieces, so that neither their number nor the chunks they are cut
 * from can grow beyond what the message itself takes. Above the limit only both ends are kept.
 */
export class MessageBuffer {
  readonly #limit: () => number;
  #pieces: Buffer[] = [];
  /** Pieces before this one are large or ours. */
  #settled = 0;
  /** Where the last settled piece grows, and how far it has. */
  #block: Buffer | undefined;
  #blockUsed = 0;
  #length = 0;
  #head: Buffer | undefined;
  /** The last bytes of a message above the limit, and what came before them. */
  #tail = EMPTY;
  #tailUsed = 0;

  /** @param limit in bytes; asked as a message grows */
  constructor(limit: () => number) {
    this.#limit = limit;
  }

  get length(): number {
    return this.#length;
  }

  append(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#head !== undefined) this.#keepTail(piece);
    else {
      this.#pieces.push(piece);
      if (this.#length > this.#limit()) this.#keepEnds();
    }
  }

  /** To be called when the chunk that the last pieces were cut from has been read and the message goes on. */
  settle(): void {
    if (this.#head !== undefined || this.#settled === this.#pieces.length) return;
    const recent = this.#pieces.splice(this.#settled);
    for (const piece of recent) {
      if (piece.length >= LARGE_PIECE_BYTES) {
        this.#block = undefined;
        this.#pieces.push(piece);
      } else this.#copy(piece);
    }
    this.#settled = this.#pieces.length;
  }

  /** What is left of a message above the limit; undefined for all others. */
  get ends(): Ends | undefined {
    if (this.#head === undefined) return undefined;
    return { bytes: this.#length, head: this.#head, tail: this.#lastBytes() };
  }

  /** The message, nothing of one above the limit; the next one begins empty. */
  take(): Buffer {
    const pieces = this.#pieces;
    this.#length = 0;
    if (pieces.length === 0 && this.#head === undefined) return EMPTY;
    this.#pieces = [];
    this.#settled = 0;
    this.#block = undefined;
    this.#head = undefined;
    this.#tail = EMPTY;
    this.#tailUsed = 0;
    return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
  }

  #copy(piece: Buffer): void {
    if (this.#block === undefined || this.#block.length - this.#blockUsed < piece.length) {
      this.#block = Buffer.allocUnsafeSlow(LARGE_PIECE_BYTES);
      this.#blockUsed = 0;
    } else this.#pieces.pop();
    piece.copy(this.#block, this.#blockUsed);
    this.#blockUsed += piece.length;
    this.#pieces.push(this.#block.subarray(0, this.#blockUsed));
  }

  #keepEnds(): void {
    const whole = Buffer.concat(this.#pieces);
    this.#head = Buffer.from(whole.subarray(0, KEPT_BYTES));
    this.#pieces = [];
    this.#settled = 0;
    this.#block = undefined;
    this.#tail = Buffer.alloc(TAIL_ROOM_BYTES);
    this.#keepTail(whole);
  }

  #keepTail(piece: Buffer): void {
    const end = piece.length > KEPT_BYTES ? piece.subarray(-KEPT_BYTES) : piece;
    if (this.#tailUsed + end.length > this.#tail.length) {
      this.#tailUsed = this.#lastBytes().copy(this.#tail);
    }
    this.#tailUsed += end.copy(this.#tail, this.#tailUsed);
  }

  #lastBytes(): Buffer {
    return this.#tail.subarray(Math.max(0, this.#tailUsed - KEPT_BYTES), this.#tailUsed);
  }
}
