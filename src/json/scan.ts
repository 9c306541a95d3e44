import { InvalidJson } from './invalid-json.ts';
import { skipPlainWords, type Words, wordsOf } from './plain-words.ts';
import { isHexDigit, skipScalar } from './scan-scalar.ts';

/**
 * A strict JSON reader that finds where things stand instead of building values.
 *
 * Forwarding must not change a byte, and `JSON.parse` loses integers above 2^53, `1e400`, duplicate keys and the
 * order of digit-like keys. So messages are validated and located here, on bytes, in one pass; only the pieces
 * somebody has to understand are parsed.
 */

/** Where a value stands: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Member {
  /** The key, unescaped. */
  readonly key: string;
  readonly value: Span;
}

const BLANK = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const LOWER_U = 0x75;

/** Beyond this many plain bytes a string is skipped by words: keys and short values are not worth setting that up. */
const NEAR_BYTES = 4;

/** 1 for the bytes that end a plain run inside a string: quote, backslash, control characters. */
const ENDS_RUN = new Uint8Array(256).fill(1, 0, 0x20);
ENDS_RUN[QUOTE] = 1;
ENDS_RUN[BACKSLASH] = 1;

const IS_SIMPLE_ESCAPE = new Uint8Array(256);
for (const byte of Buffer.from('"\\/bfnrt')) IS_SIMPLE_ESCAPE[byte] = 1;

export function skipSpace(bytes: Uint8Array, at: number): number {
  let i = at;
  while (bytes[i] === 0x20 || bytes[i] === 0x0a || bytes[i] === 0x0d || bytes[i] === 0x09) i++;
  return i;
}

/**
 * Validates the value that starts at `at` and tells where it ends. Depth is bounded by memory alone.
 *
 * One loop without calls for what documents consist of: every byte of every large result passes through here.
 *
 * @throws InvalidJson when there is no complete, valid value
 */
export function skipValue(bytes: Uint8Array, at: number): number {
  const closers: number[] = [];
  let closer = 0;
  let isKey = false;
  let i = at;
  let words: Words | undefined;
  for (;;) {
    let byte = bytes[i] as number;
    if (byte <= BLANK) {
      i = skipSpace(bytes, i);
      byte = bytes[i] as number;
    }
    if (byte === QUOTE) {
      i++;
      for (;;) {
        const near = i + NEAR_BYTES;
        while (ENDS_RUN[bytes[i] as number] === 0 && i < near) i++;
        if (i === near) {
          words ??= wordsOf(bytes);
          while (ENDS_RUN[bytes[i] as number] === 0) i = skipPlainWords(words, i + 1);
        }
        if (bytes[i] === QUOTE) break;
        i = skipEscape(bytes, i);
      }
      i++;
      if (isKey) {
        if (bytes[i] !== COLON) i = skipSpace(bytes, i);
        if (bytes[i++] !== COLON) throw new InvalidJson(i - 1);
        isKey = false;
        continue;
      }
    } else if (isKey) {
      throw new InvalidJson(i);
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      closers.push(closer);
      closer = byte === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET;
      i = skipSpace(bytes, i + 1);
      if (bytes[i] !== closer) {
        isKey = closer === CLOSE_BRACE;
        continue;
      }
    } else {
      i = skipScalar(bytes, i);
    }
    for (;;) {
      if (closer === 0) return i;
      byte = bytes[i] as number;
      if (byte <= BLANK) {
        i = skipSpace(bytes, i);
        byte = bytes[i] as number;
      }
      if (byte === COMMA) break;
      if (byte !== closer) throw new InvalidJson(i);
      closer = closers.pop() as number;
      i++;
    }
    i++;
    isKey = closer === CLOSE_BRACE;
  }
}

/**
 * The members of the object that starts at `at`, in order, duplicates included. Everything is validated.
 *
 * @throws InvalidJson when there is no complete, valid object
 */
export function scanObject(bytes: Buffer, at: number): { members: Member[]; end: number } {
  if (bytes[at] !== OPEN_BRACE) throw new InvalidJson(at);
  const members: Member[] = [];
  let i = skipSpace(bytes, at + 1);
  if (bytes[i] === CLOSE_BRACE) return { members, end: i + 1 };
  for (;;) {
    const keyEnd = skipString(bytes, i);
    const key = readString(bytes, i, keyEnd);
    const start = skipColon(bytes, keyEnd);
    const end = skipValue(bytes, start);
    members.push({ key, value: { start, end } });
    i = skipSpace(bytes, end);
    if (bytes[i] === CLOSE_BRACE) return { members, end: i + 1 };
    if (bytes[i] !== COMMA) throw new InvalidJson(i);
    i = skipSpace(bytes, i + 1);
  }
}

/**
 * The elements of the array that starts at `at`.
 *
 * @throws InvalidJson when there is no complete, valid array
 */
export function scanArray(bytes: Uint8Array, at: number): { elements: Span[]; end: number } {
  if (bytes[at] !== OPEN_BRACKET) throw new InvalidJson(at);
  const elements: Span[] = [];
  let i = skipSpace(bytes, at + 1);
  if (bytes[i] === CLOSE_BRACKET) return { elements, end: i + 1 };
  for (;;) {
    const end = skipValue(bytes, i);
    elements.push({ start: i, end });
    i = skipSpace(bytes, end);
    if (bytes[i] === CLOSE_BRACKET) return { elements, end: i + 1 };
    if (bytes[i] !== COMMA) throw new InvalidJson(i);
    i = skipSpace(bytes, i + 1);
  }
}

/** The elements of the array that starts at `at`, one by one; for a value that was found valid before. */
export function* elementsOf(bytes: Uint8Array, at: number): Generator<Span, void> {
  let i = skipSpace(bytes, at + 1);
  if (bytes[i] === CLOSE_BRACKET) return;
  for (;;) {
    const end = skipValue(bytes, i);
    yield { start: i, end };
    i = skipSpace(bytes, end);
    if (bytes[i] !== COMMA) return;
    i = skipSpace(bytes, i + 1);
  }
}

export function isObjectAt(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === OPEN_BRACE;
}

export function isArrayAt(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === OPEN_BRACKET;
}

/** From the end of a key to the start of its value. */
export function skipColon(bytes: Uint8Array, at: number): number {
  const i = skipSpace(bytes, at);
  if (bytes[i] !== COLON) throw new InvalidJson(i);
  return skipSpace(bytes, i + 1);
}

/** The string that stands from `start` to `end`, quotes included, unescaped. */
export function readString(bytes: Buffer, start: number, end: number): string {
  // Keys and method names are plain nearly always, and this path makes one short string and nothing else.
  const text = bytes.toString('latin1', start + 1, end - 1);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH || code > 0x7f) return JSON.parse(bytes.toString('utf8', start, end)) as string;
  }
  return text;
}

/** Validates the string that starts at `at` and tells where it ends. */
export function skipString(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== QUOTE) throw new InvalidJson(at);
  let i = at + 1;
  for (;;) {
    while (ENDS_RUN[bytes[i] as number] === 0) i++;
    if (bytes[i] === QUOTE) return i + 1;
    i = skipEscape(bytes, i);
  }
}

function skipEscape(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== BACKSLASH) throw new InvalidJson(at);
  const escaped = bytes[at + 1];
  if (escaped === LOWER_U) {
    for (let k = at + 2; k < at + 6; k++) if (!isHexDigit(bytes[k])) throw new InvalidJson(k);
    return at + 6;
  }
  if (IS_SIMPLE_ESCAPE[escaped ?? 0] !== 1) throw new InvalidJson(at + 1);
  return at + 2;
}
