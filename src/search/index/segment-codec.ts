import { crc32 } from 'node:zlib';
import { FIELD_COUNT } from './fields.ts';
import type { Segment } from './segment.ts';

/**
 * The persisted form of a segment: a header of 32-bit numbers, then each array as it is in memory, then the names
 * and terms as text. Restoring makes views on the bytes instead of copies.
 */
const MAGIC = 0x7451f001;
/** Goes up with every change of the tokens, the fields or the layout; other versions are ignored. */
export const SEGMENT_VERSION = 5;
const HEADER_NUMBERS = 10;
const CHECKSUM_START = 8;
const CHECKSUM_END = 12;
const SEPARATOR = '\n';

export function encodeSegment(segment: Segment): Uint8Array {
  const names = Buffer.from(JSON.stringify(segment.names));
  const terms = Buffer.from(segment.terms().join(SEPARATOR));
  const arrays = [
    segment.hashes,
    segment.starts,
    segment.frequencies,
    segment.postings,
    segment.nameStarts,
    segment.nameTerms,
    segment.nameActions,
    segment.textActions,
    segment.lengths,
    segment.details,
    segment.nameRoles,
    segment.vectors,
  ];
  const arrayBytes = arrays.reduce((sum, array) => sum + array.byteLength, 0);
  const bytes = new Uint8Array(align(HEADER_NUMBERS * 4 + arrayBytes + names.length + terms.length));
  let at = HEADER_NUMBERS * 4;
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += array.byteLength;
  }
  bytes.set(names, at);
  bytes.set(terms, at + names.length);
  const header = new Uint32Array(bytes.buffer, 0, HEADER_NUMBERS);
  header.set([
    MAGIC,
    SEGMENT_VERSION,
    0,
    segment.names.length,
    segment.hashes.length,
    segment.postings.length,
    segment.nameTerms.length,
    names.length,
    terms.length,
    segment.vectors.length,
  ]);
  header[2] = checksum(bytes);
  return bytes;
}

/** Undefined when the bytes are damaged, cut short, or of another version. */
export function decodeSegment(bytes: Uint8Array): Segment | undefined {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  if (aligned.length < HEADER_NUMBERS * 4 || aligned.length % 4 !== 0) return undefined;
  const header = new Uint32Array(aligned.buffer, aligned.byteOffset, HEADER_NUMBERS);
  const [magic, version, sum, documents, terms, postings, nameTerms, nameBytes, termBytes, vectorBytes] =
    header;
  if (magic !== MAGIC || version !== SEGMENT_VERSION || sum !== checksum(aligned)) return undefined;
  const reader = new Reader(aligned, HEADER_NUMBERS * 4);
  const arrays = {
    hashes: reader.words(at(terms)),
    starts: reader.words(at(terms) + 1),
    frequencies: reader.words(at(terms)),
    postings: reader.words(at(postings)),
    nameStarts: reader.words(at(documents) + 1),
    nameTerms: reader.words(at(nameTerms)),
    nameActions: reader.words(at(documents)),
    textActions: reader.words(at(documents)),
    lengths: reader.halves(at(documents) * FIELD_COUNT),
    details: reader.halves(at(documents)),
    nameRoles: reader.bytes(at(nameTerms)),
    vectors: reader.signed(at(vectorBytes)),
  };
  const names = JSON.parse(reader.bytes(at(nameBytes)).toString('utf8')) as string[];
  const text = reader.bytes(at(termBytes));
  let decoded: string[] | undefined;
  return {
    ...arrays,
    names,
    terms: () => {
      decoded ??= text.length === 0 ? [] : text.toString('utf8').split(SEPARATOR);
      return decoded;
    },
  };
}

class Reader {
  readonly #bytes: Uint8Array;
  #position: number;

  constructor(bytes: Uint8Array, position: number) {
    this.#bytes = bytes;
    this.#position = position;
  }

  words(count: number): Uint32Array {
    return new Uint32Array(this.#bytes.buffer, this.#take(count * 4), count);
  }

  halves(count: number): Uint16Array {
    return new Uint16Array(this.#bytes.buffer, this.#take(count * 2), count);
  }

  signed(count: number): Int8Array {
    return new Int8Array(this.#bytes.buffer, this.#take(count), count);
  }

  bytes(length: number): Buffer {
    return Buffer.from(this.#bytes.buffer, this.#take(length), length);
  }

  #take(length: number): number {
    const start = this.#bytes.byteOffset + this.#position;
    this.#position += length;
    return start;
  }
}

/** Of everything but the checksum itself. */
function checksum(bytes: Uint8Array): number {
  return crc32(bytes.subarray(CHECKSUM_END), crc32(bytes.subarray(0, CHECKSUM_START)));
}

function align(length: number): number {
  return Math.ceil(length / 4) * 4;
}

function at(value: number | undefined): number {
  return value ?? 0;
}
