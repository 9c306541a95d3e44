const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

const ASCII_CLASS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  return code >= 48 && code <= 57 ? DIGIT : OTHER;
});

const NON_ASCII = /[^\0-\x7f]/;
/** Neither ASCII nor one of the dashes, quotes, arrows and lines that stand between words and are no part of them. */
const FOREIGN = /[^\0-\x7f\u2010-\u2027\u2190-\u21ff\u2500-\u257f]/;
const MARKS = /\p{M}+/gu;
const UNSPACED_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;
const HAS_UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const FOREIGN_SIGNS = /[^\0-\x7f\p{L}\p{N}]+/gu;
const LETTER_RUN = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[\p{Lo}\p{Lm}\p{Lt}]+|\p{N}+/gu;
const WORD_RUN = /[\p{L}\p{N}]+/gu;

/** Longest chunk whose joined spelling is kept beside its parts: `GitHub` is git, hub and github. */
const MAX_COMPOUND_LENGTH = 14;

/** A text and its UTF-16 units, which are several times quicker to walk than a string. */
export interface Source {
  text: string;
  units: Uint16Array;
}

/** A word is `source` from `start` up to, not including, `end`, in whatever case. The source is used again. */
export type VisitSpan = (source: Source, start: number, end: number, compound: boolean) => void;

/**
 * Calls `visit` for every word of a text, without accents. Identifiers are split at case and digit borders;
 * scripts without spaces come as overlapping pairs of characters. A chunk of two or three parts is visited
 * joined as well (`compound` true), as people write GitHub and github alike.
 */
export function eachSpan(text: string, visit: VisitSpan): void {
  if (FOREIGN.test(text)) eachUnicodeSpan(text, visit);
  else eachAsciiSpan(text, visit);
}

/** The words of `eachSpan` as strings, in lower case. */
export function eachWord(text: string, emit: (word: string, compound: boolean) => void): void {
  eachSpan(text, (source, start, end, compound) =>
    emit(source.text.slice(start, end).toLowerCase(), compound),
  );
}

/** The words of a text in order, compounds left out. */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  eachWord(text, (word, compound) => {
    if (!compound) words.push(word);
  });
  return words;
}

function eachAsciiSpan(text: string, visit: VisitSpan): void {
  load(text);
  const { units } = source;
  const { length } = text;
  let position = 0;
  while (position < length) {
    if (classAt(units, position) === OTHER) {
      position++;
      continue;
    }
    const chunkStart = position;
    let parts = 0;
    do {
      const end = endOfPart(units, position);
      visit(source, position, end, false);
      parts++;
      position = end;
    } while (classAt(units, position) !== OTHER);
    if (isCompound(parts, position - chunkStart)) visit(source, chunkStart, position, true);
  }
}

let bytes = Buffer.alloc(2 ** 14);
const source: Source = { text: '', units: new Uint16Array(bytes.buffer, bytes.byteOffset, 2 ** 13) };

/** Makes `text` the source, with a zero after it, where every walk ends. */
function load(text: string): void {
  if (text.length >= source.units.length) {
    bytes = Buffer.alloc(text.length * 4);
    source.units = new Uint16Array(bytes.buffer, bytes.byteOffset, text.length * 2);
  }
  source.text = text;
  bytes.write(text, 0, 'utf16le');
  source.units[text.length] = 0;
}

function classAt(units: Uint16Array, position: number): number {
  return ASCII_CLASS[units[position] ?? 0] ?? OTHER;
}

/** `HTTPRequest` ends its first part before the R, `parseURL` before the U, `oauth2` before the 2. */
function endOfPart(units: Uint16Array, start: number): number {
  const first = classAt(units, start);
  let end = start + 1;
  if (first === UPPER && classAt(units, end) === UPPER) {
    while (classAt(units, end) === UPPER) end++;
    const beforeLower = classAt(units, end) === LOWER;
    // The plural of an acronym (URLs, IDs) belongs to it.
    if (beforeLower && !isPluralOfAcronym(units, end)) return end - 1;
    return beforeLower ? end + 1 : end;
  }
  const rest = first === DIGIT ? DIGIT : LOWER;
  while (classAt(units, end) === rest) end++;
  return end;
}

function isPluralOfAcronym(units: Uint16Array, position: number): boolean {
  return units[position] === 115 && classAt(units, position + 1) !== LOWER;
}

function eachUnicodeSpan(text: string, visit: VisitSpan): void {
  const composed = text.normalize('NFKC');
  if (!HAS_UNSPACED.test(composed)) {
    eachSpacedSpan(composed, visit);
    return;
  }
  let end = 0;
  for (const run of composed.matchAll(UNSPACED_SCRIPTS)) {
    eachSpacedSpan(composed.slice(end, run.index), visit);
    eachPair(run[0], visit);
    end = run.index + run[0].length;
  }
  eachSpacedSpan(composed.slice(end), visit);
}

function eachSpacedSpan(text: string, visit: VisitSpan): void {
  if (!FOREIGN.test(text)) {
    eachAsciiSpan(text, visit);
    return;
  }
  // Dashes, quotes and emoji are all that is foreign in most texts.
  const bare = text.normalize('NFD').replace(MARKS, '').replace(FOREIGN_SIGNS, ' ');
  if (!NON_ASCII.test(bare)) {
    eachAsciiSpan(bare, visit);
    return;
  }
  for (const [chunk] of bare.matchAll(WORD_RUN)) {
    const parts = chunk.match(LETTER_RUN) ?? [chunk];
    for (const part of parts) visitWhole(part, false, visit);
    if (isCompound(parts.length, chunk.length)) visitWhole(chunk, true, visit);
  }
}

function eachPair(run: string, visit: VisitSpan): void {
  const characters = Array.from(run);
  if (characters.length === 1) visitWhole(run, false, visit);
  for (let i = 0; i + 1 < characters.length; i++)
    visitWhole(`${characters[i]}${characters[i + 1]}`, false, visit);
}

function visitWhole(word: string, compound: boolean, visit: VisitSpan): void {
  const lower = word.toLowerCase();
  load(lower);
  visit(source, 0, lower.length, compound);
}

function isCompound(parts: number, length: number): boolean {
  return (parts === 2 || parts === 3) && length <= MAX_COMPOUND_LENGTH;
}
