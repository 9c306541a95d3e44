import { stemAnew } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';
import { hashOf } from './vocabulary.ts';
import type { Source } from './words.ts';

const FIRST_SLOTS = 4_096;
const MAX_WORDS = 20_000;

/**
 * The words met while indexing, found by where they stand in a text: a word seen before costs no string, no
 * look-up by string and no stemming. Words and stems have numbers.
 */
export class WordTable {
  /** Open addressing: the number of a word plus one, or 0. */
  #slots = new Int32Array(FIRST_SLOTS);
  readonly #hashes: number[] = [];
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
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ lowerOf(units[i] ?? 0), 0x01000193);
    hash ^= hash >>> 15;
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const word = (this.#slots[slot] ?? 0) - 1;
      if (word === -1) return this.#enter(text.slice(start, end).toLowerCase(), hash, slot);
      if (this.#hashes[word] === hash && isSame(this.words[word] ?? '', units, start, end)) return word;
    }
  }

  #enter(lower: string, hash: number, slot: number): number {
    const word = this.words.push(lower) - 1;
    this.#hashes.push(hash);
    this.isStopWord.push(STOP_WORDS.has(lower));
    this.stemOf.push(this.#numberOfStem(stemAnew(lower)));
    this.#slots[slot] = word + 1;
    if (this.words.length * 2 > this.#slots.length) this.#grow();
    return word;
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
    this.#slots = new Int32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    this.#hashes.forEach((hash, word) => {
      let slot = hash & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = word + 1;
    });
  }
}

let shared = new WordTable();

/** The table that servers share; begun anew once it is large, while who holds the old one may finish with it. */
export function sharedWordTable(): WordTable {
  if (shared.words.length > MAX_WORDS) shared = new WordTable();
  return shared;
}

function isSame(word: string, units: Uint16Array, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let i = 0; i < word.length; i++) {
    if (word.charCodeAt(i) !== lowerOf(units[start + i] ?? 0)) return false;
  }
  return true;
}

/** What is not ASCII is in lower case already. */
function lowerOf(unit: number): number {
  return unit >= 65 && unit <= 90 ? unit + 32 : unit;
}
