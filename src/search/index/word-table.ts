import { stemAnew } from '../words/stem.ts';
import { STOP_WORDS } from '../words/stop-words.ts';
import type { Source } from '../words/words.ts';
import { hashOf } from './term-hash.ts';

const FIRST_SLOTS = 4_096;
const SLOT = 3;
const MAX_WORDS = 20_000;

/**
 * The words met while indexing, found by where they stand in a text: a word seen before costs no string, no
 * look-up by string and no stemming. Words and stems have numbers.
 */
export class WordTable {
  /** Open addressing, three numbers a slot: two hashes of a word and its number plus one, or 0. */
  #slots = new Int32Array(FIRST_SLOTS * SLOT);
  readonly words: string[] = [];
  readonly isStopWord: boolean[] = [];
  /** By word: the number of its stem. */
  readonly stemOf: number[] = [];
  readonly stems: string[] = [];
  readonly #stemNumbers = new Map<string, number>();
  /** By stem: as the index knows it. */
  readonly stemHashes: number[] = [];

  /** The number of the word from `start` up to `end`, in whatever case. */
  find({ text, units }: Source, start: number, end: number): number {
    let hash = end - start;
    let other = 0;
    for (let i = start; i < end; i++) {
      const unit = units[i] ?? 0;
      // What is not ASCII is in lower case already.
      const lower = unit >= 65 && unit <= 90 ? unit + 32 : unit;
      hash = Math.imul(hash ^ lower, 0x01000193);
      other = (Math.imul(other, 31) + lower) | 0;
    }
    // Two words alike in both hashes are not to be met; comparing letters would cost as much as hashing them.
    let at = this.#placeOf(hash);
    for (; this.#slots[at + 2] !== 0; at = at + SLOT === this.#slots.length ? 0 : at + SLOT) {
      if (this.#slots[at] === hash && this.#slots[at + 1] === other) return (this.#slots[at + 2] ?? 0) - 1;
    }
    const word = this.#enter(text.slice(start, end).toLowerCase());
    this.#slots.set([hash, other, word + 1], at);
    if (this.words.length * 2 * SLOT > this.#slots.length) this.#grow();
    return word;
  }

  #enter(lower: string): number {
    this.isStopWord.push(STOP_WORDS.has(lower));
    this.stemOf.push(this.#numberOfStem(stemAnew(lower)));
    return this.words.push(lower) - 1;
  }

  #placeOf(hash: number): number {
    return ((hash ^ (hash >>> 15)) & (this.#slots.length / SLOT - 1)) * SLOT;
  }

  #numberOfStem(stem: string): number {
    const known = this.#stemNumbers.get(stem);
    if (known !== undefined) return known;
    const number = this.stems.push(stem) - 1;
    this.stemHashes.push(hashOf(stem));
    this.#stemNumbers.set(stem, number);
    return number;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 2);
    for (let from = 0; from < old.length; from += SLOT) {
      if (old[from + 2] === 0) continue;
      let at = this.#placeOf(old[from] ?? 0);
      while (this.#slots[at + 2] !== 0) at = at + SLOT === this.#slots.length ? 0 : at + SLOT;
      this.#slots.set(old.subarray(from, from + SLOT), at);
    }
  }
}

let shared = new WordTable();

/** The table that servers share, for as long as it is not large. */
export function sharedWordTable(): WordTable {
  return shared;
}

/** Begins the shared table anew where it has become large; who holds the old one may finish with it. */
export function letGoOfLargeTable(): void {
  if (shared.words.length > MAX_WORDS) shared = new WordTable();
}
