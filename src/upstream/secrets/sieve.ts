import type { Needle } from './needles.ts';
import { asText, NOT_WORD, readingsOf } from './readings.ts';

/** Looked for at every fifth place: whatever is ten letters long holds one of the pieces there. */
const PIECE_LENGTH = 6;
const STEP = 5;
const MIN_WORD_LENGTH = PIECE_LENGTH + STEP - 1;

/** Tells fast that a text holds no secret, as nearly all texts do not. */
export class Sieve {
  readonly #pieces = new Set<string>();
  readonly #short: readonly Needle[];

  constructor(needles: readonly Needle[]) {
    const short: Needle[] = [];
    for (const needle of needles) {
      const word = needle.text.replace(NOT_WORD, '');
      if (word.length < MIN_WORD_LENGTH) short.push(needle);
      for (let at = 0; at + PIECE_LENGTH <= word.length; at++)
        this.#pieces.add(word.slice(at, at + PIECE_LENGTH));
    }
    this.#short = short;
  }

  /** Whether it is worth to look closely; `false` is certain. */
  mayHold(text: string): boolean {
    return readingsOf(text, asText).some(
      (reading) =>
        this.#hasPiece(reading.word) ||
        this.#short.some(({ closeness, text }) => reading[closeness].includes(text)),
    );
  }

  #hasPiece(word: string): boolean {
    for (let at = 0; at + PIECE_LENGTH <= word.length; at += STEP) {
      if (this.#pieces.has(word.slice(at, at + PIECE_LENGTH))) return true;
    }
    return false;
  }
}
