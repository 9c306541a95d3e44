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

/**
 * Calls `emit` for every word of a text, lower case and without accents. Identifiers are split at case and
 * digit borders; scripts without spaces come as overlapping pairs of characters. A chunk of two or three
 * parts is emitted joined as well (`compound` true), as people write GitHub and github alike.
 */
export function eachWord(text: string, emit: (word: string, compound: boolean) => void): void {
  if (NON_ASCII.test(text)) eachUnicodeWord(text, emit);
  else eachAsciiWord(text, emit);
}

/** The words of a text in order, compounds left out. */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  eachWord(text, (word, compound) => {
    if (!compound) words.push(word);
  });
  return words;
}

function eachAsciiWord(text: string, emit: (word: string, compound: boolean) => void): void {
  const lower = text.toLowerCase();
  let position = 0;
  while (position < text.length) {
    if (ASCII_CLASS[text.charCodeAt(position)] === OTHER) {
      position++;
      continue;
    }
    const chunkStart = position;
    let parts = 0;
    let kind: number = ASCII_CLASS[text.charCodeAt(position)] ?? OTHER;
    while (kind !== OTHER) {
      const end = endOfPart(text, position);
      emit(lower.slice(position, end), false);
      parts++;
      position = end;
      kind = position < text.length ? (ASCII_CLASS[text.charCodeAt(position)] ?? OTHER) : OTHER;
    }
    if (isCompound(parts, position - chunkStart)) emit(lower.slice(chunkStart, position), true);
  }
}

/** `HTTPRequest` ends its first part before the R, `parseURL` before the U, `oauth2` before the 2. */
function endOfPart(text: string, start: number): number {
  const first = ASCII_CLASS[text.charCodeAt(start)];
  let end = start + 1;
  if (first === UPPER && end < text.length) {
    if (ASCII_CLASS[text.charCodeAt(end)] === UPPER) {
      while (end < text.length && ASCII_CLASS[text.charCodeAt(end)] === UPPER) end++;
      const beforeLower = end < text.length && ASCII_CLASS[text.charCodeAt(end)] === LOWER;
      // The plural of an acronym (URLs, IDs) belongs to it.
      if (beforeLower && !isPluralOfAcronym(text, end)) return end - 1;
      return beforeLower ? end + 1 : end;
    }
  }
  const rest = first === DIGIT ? DIGIT : LOWER;
  while (end < text.length && ASCII_CLASS[text.charCodeAt(end)] === rest) end++;
  return end;
}

function isPluralOfAcronym(text: string, position: number): boolean {
  if (text.charCodeAt(position) !== 115) return false;
  return position + 1 >= text.length || (ASCII_CLASS[text.charCodeAt(position + 1)] ?? OTHER) !== LOWER;
}

function eachUnicodeWord(text: string, emit: (word: string, compound: boolean) => void): void {
  const composed = text.normalize('NFKC');
  if (!HAS_UNSPACED.test(composed)) {
    eachSpacedWord(composed, emit);
    return;
  }
  let end = 0;
  for (const run of composed.matchAll(UNSPACED_SCRIPTS)) {
    eachSpacedWord(composed.slice(end, run.index), emit);
    eachPair(run[0], emit);
    end = run.index + run[0].length;
  }
  eachSpacedWord(composed.slice(end), emit);
}

function eachSpacedWord(text: string, emit: (word: string, compound: boolean) => void): void {
  // Dashes, quotes and emoji are all that is foreign in most texts.
  const bare = text.normalize('NFD').replace(MARKS, '').replace(FOREIGN_SIGNS, ' ');
  if (!NON_ASCII.test(bare)) {
    eachAsciiWord(bare, emit);
    return;
  }
  for (const [chunk] of bare.matchAll(WORD_RUN)) {
    const parts = chunk.match(LETTER_RUN) ?? [chunk];
    for (const part of parts) emit(part.toLowerCase(), false);
    if (isCompound(parts.length, chunk.length)) emit(chunk.toLowerCase(), true);
  }
}

function eachPair(run: string, emit: (word: string, compound: boolean) => void): void {
  const characters = Array.from(run);
  if (characters.length === 1) emit(run, false);
  for (let i = 0; i + 1 < characters.length; i++) emit(`${characters[i]}${characters[i + 1]}`, false);
}

function isCompound(parts: number, length: number): boolean {
  return (parts === 2 || parts === 3) && length <= MAX_COMPOUND_LENGTH;
}
