import { eachSpan } from '../words/words.ts';

/**
 * The form of `token-vectors.bin`, all numbers little-endian: four 32-bit numbers (magic, version, pieces, numbers a
 * vector), a 32-bit float that numbers are to be multiplied by (only directions are used here), the pieces' hashes in ascending order, then their vectors as signed
 * bytes in the same order.
 */
const MAGIC = 0x7451f0ec;
export const TABLE_VERSION = 1;
const HEADER_BYTES = 20;
const START = 0x811c9dc5;
/** Pieces that go on within a word hash apart from those that begin one. */
const CONTINUED_START = 0x1b873593;
const PRIME = 0x01000193;
const MAX_WORD_LETTERS = 40;

export interface TokenSum {
  readonly sum: Int32Array;
  readonly add: (text: string) => void;
}

/** Vectors of word pieces: what a text means is their mean. */
export class TokenTable {
  readonly dimensions: number;
  readonly #hashes: Uint32Array;
  readonly #vectors: Int8Array;
  /** Beginnings of the word at hand, by length: their hashes. */
  readonly #prefixes = new Uint32Array(MAX_WORD_LETTERS + 1);
  /** By piece the last sum that it was added to. */
  readonly #seen: Int32Array;
  #generation = 0;
  #found = -1;

  private constructor(hashes: Uint32Array, vectors: Int8Array) {
    this.dimensions = hashes.length === 0 ? 0 : vectors.length / hashes.length;
    this.#hashes = hashes;
    this.#vectors = vectors;
    this.#seen = new Int32Array(hashes.length);
  }

  /** Views on the bytes; undefined when they are no table of this version. */
  static read(bytes: Uint8Array): TokenTable | undefined {
    const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
    if (aligned.length < HEADER_BYTES) return undefined;
    const [magic, version, pieces = 0, dimensions = 0] = new Uint32Array(
      aligned.buffer,
      aligned.byteOffset,
      4,
    );
    const start = aligned.byteOffset + HEADER_BYTES;
    if (magic !== MAGIC || version !== TABLE_VERSION) return undefined;
    if (aligned.length !== HEADER_BYTES + pieces * (4 + dimensions)) return undefined;
    const vectors = new Int8Array(aligned.buffer, start + pieces * 4, pieces * dimensions);
    return new TokenTable(new Uint32Array(aligned.buffer, start, pieces), vectors);
  }

  /** A table of these pieces without numbers, to number the pieces of texts with. */
  static ofPieces(pieces: readonly string[]): TokenTable {
    return new TokenTable(Uint32Array.from(pieces, hashOfPiece).sort(), new Int8Array());
  }

  /** A sum of vectors, to which texts are added. Each piece counts once: a text that repeats itself means no more. */
  newSum(): TokenSum {
    this.#generation++;
    const generation = this.#generation;
    const sum = new Int32Array(this.dimensions);
    return {
      sum,
      add: (text) => {
        this.eachPiece(text, (piece) => {
          if (this.#seen[piece] === generation) return;
          this.#seen[piece] = generation;
          this.#addVector(piece, sum);
        });
      },
    };
  }

  #addVector(piece: number, sum: Int32Array): void {
    const from = piece * sum.length;
    const vectors = this.#vectors;
    for (let i = 0; i < sum.length; i++) sum[i] = ((sum[i] ?? 0) + (vectors[from + i] ?? 0)) | 0;
  }

  /** The numbers of the pieces of a text's words, the longest that are known; unknown ends of words are skipped. */
  eachPiece(text: string, visit: (piece: number) => void): void {
    const pieces: number[] = [];
    /** By word of the source at hand: where it starts, and where its pieces begin. */
    const starts: number[] = [];
    const firsts: number[] = [];
    let source = '';
    eachSpan(text, ({ text: from, units }, start, end, compound) => {
      if (from !== source) {
        source = from;
        starts.length = 0;
        firsts.length = 0;
      }
      const before = pieces.length;
      this.#readPieces(units, start, end, pieces);
      if (!compound) {
        starts.push(start);
        firsts.push(before);
        return;
      }
      // A compound (`GitHub`) comes after its parts and is better known as a whole, if it is known.
      const whole = pieces.length === before + 1 ? pieces[before] : undefined;
      const part = starts.lastIndexOf(start);
      pieces.length = whole === undefined || part === -1 ? before : (firsts[part] ?? before);
      if (whole !== undefined && part !== -1) pieces.push(whole);
    });
    for (const piece of pieces) visit(piece);
  }

  #readPieces(units: Uint16Array, start: number, end: number, into: number[]): void {
    const last = Math.min(end, start + MAX_WORD_LETTERS);
    let at = start;
    while (at < last) {
      const length = this.#readLongest(units, at, last, at === start ? START : CONTINUED_START);
      if (length === 0) return;
      into.push(this.#found);
      at += length;
    }
  }

  /** The length of the longest known piece at a place, 0 for none; `#found` is its number. */
  #readLongest(units: Uint16Array, start: number, end: number, seed: number): number {
    let hash = seed;
    for (let i = start; i < end; i++) {
      const unit = units[i] ?? 0;
      hash = Math.imul(hash ^ (unit >= 65 && unit <= 90 ? unit + 32 : unit), PRIME);
      this.#prefixes[i - start] = hash >>> 0;
    }
    for (let length = end - start; length > 0; length--) {
      this.#found = this.#find(this.#prefixes[length - 1] ?? 0);
      if (this.#found !== -1) return length;
    }
    return 0;
  }

  #find(hash: number): number {
    let low = 0;
    let high = this.#hashes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#hashes[middle] ?? 0) < hash) low = middle + 1;
      else high = middle;
    }
    return this.#hashes[low] === hash ? low : -1;
  }
}

/** Of a piece as the tokenizer spells it: `##ing` goes on within a word. */
export function hashOfPiece(piece: string): number {
  const continued = piece.startsWith('##');
  let hash = continued ? CONTINUED_START : START;
  for (let i = continued ? 2 : 0; i < piece.length; i++) {
    hash = Math.imul(hash ^ piece.charCodeAt(i), PRIME);
  }
  return hash >>> 0;
}
