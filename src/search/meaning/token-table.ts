import { eachSpan } from '../words/words.ts';

/**
 * The form of `token-vectors.bin`, all numbers little-endian: four 32-bit numbers (magic, version, pieces, numbers a
 * vector), a 32-bit float to multiply numbers by, the pieces' hashes in ascending order, then their vectors as signed
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

/** Vectors of word pieces: what a text means is their mean. */
export class TokenTable {
  readonly dimensions: number;
  readonly #hashes: Uint32Array;
  readonly #vectors: Int8Array;
  readonly #scale: number;
  /** Beginnings of the word at hand, by length: their hashes. */
  readonly #prefixes = new Uint32Array(MAX_WORD_LETTERS + 1);

  private constructor(hashes: Uint32Array, vectors: Int8Array, scale: number) {
    this.dimensions = hashes.length === 0 ? 0 : vectors.length / hashes.length;
    this.#hashes = hashes;
    this.#vectors = vectors;
    this.#scale = scale;
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
    const [scale = 1] = new Float32Array(aligned.buffer, aligned.byteOffset + 16, 1);
    const vectors = new Int8Array(aligned.buffer, start + pieces * 4, pieces * dimensions);
    return new TokenTable(new Uint32Array(aligned.buffer, start, pieces), vectors, scale);
  }

  /** A table of these pieces without numbers, to number the pieces of texts with. */
  static ofPieces(pieces: readonly string[]): TokenTable {
    return new TokenTable(Uint32Array.from(pieces, hashOfPiece).sort(), new Int8Array(), 1);
  }

  /** Adds the vectors of a text's pieces to `sum`, each times `weight`, and returns how many there were. */
  add(text: string, sum: Float64Array, weight = 1): number {
    let count = 0;
    const { dimensions } = this;
    this.eachPiece(text, (piece) => {
      count++;
      const from = piece * dimensions;
      const factor = this.#scale * weight;
      for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] ?? 0) + (this.#vectors[from + i] ?? 0) * factor;
    });
    return count;
  }

  /** The numbers of the pieces of a text's words, the longest that are known; parts of words that are not are skipped. */
  eachPiece(text: string, visit: (piece: number) => void): void {
    // A compound (`GitHub`) comes after its parts and is better known as a whole, if it is known.
    let parts: { source: string; start: number; pieces: readonly number[] }[] = [];
    eachSpan(text, ({ text: source, units }, start, end, compound) => {
      const pieces = this.#piecesOf(units, start, end);
      if (compound && pieces.length !== 1) return;
      if (compound) parts = parts.filter((part) => part.source !== source || part.start < start);
      parts.push({ source, start, pieces });
    });
    for (const { pieces } of parts) for (const piece of pieces) visit(piece);
  }

  #piecesOf(units: Uint16Array, start: number, end: number): number[] {
    const found: number[] = [];
    const last = Math.min(end, start + MAX_WORD_LETTERS);
    let at = start;
    while (at < last) {
      const { piece, length } = this.#longest(units, at, last, at > start);
      if (length === 0) return found;
      found.push(piece);
      at += length;
    }
    return found;
  }

  #longest(
    units: Uint16Array,
    start: number,
    end: number,
    continued: boolean,
  ): { piece: number; length: number } {
    let hash = continued ? CONTINUED_START : START;
    for (let i = start; i < end; i++) {
      const unit = units[i] ?? 0;
      hash = Math.imul(hash ^ (unit >= 65 && unit <= 90 ? unit + 32 : unit), PRIME);
      this.#prefixes[i - start] = hash >>> 0;
    }
    for (let length = end - start; length > 0; length--) {
      const piece = this.#find(this.#prefixes[length - 1] ?? 0);
      if (piece !== -1) return { piece, length };
    }
    return { piece: -1, length: 0 };
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
