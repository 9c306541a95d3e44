import { findTerm, type Segment } from './segment.ts';
import { hashOf } from './term-hash.ts';

const NOWHERE: Occurrences = { slots: [], locals: [], frequency: 0 };
const REMEMBERED = 4_000;
const BEGINNING_BITS = 17;
/** From this many servers on, asking every segment costs more than a table of all hashes. */
const MANY_SEGMENTS = 256;

/** Where a term occurs: server slots, the term's number in each of their segments, and in how many tools in all. */
export interface Occurrences {
  readonly slots: number[];
  readonly locals: number[];
  frequency: number;
}

/** A term as candidates for typo repair see it. */
export interface Spelling {
  readonly term: string;
  readonly length: number;
  /** Bit i is set when the term has letter i of the alphabet. */
  readonly letters: number;
}

/**
 * Finds terms in all segments. There is no table of all terms: entering tens of thousands of strings would be most
 * of the cost of starting, while looking a term up in every segment by its hash takes microseconds.
 */
export class Vocabulary {
  readonly #segments: (Segment | undefined)[] = [];
  readonly #remembered = new Map<string, Occurrences>();
  /** 1 where some term's hash begins so; terms of removed segments stay, which only costs time. */
  #beginnings: Uint8Array | undefined;
  /** Slots by hash, once there are many segments. */
  #slotsByHash: Map<number, number[]> | undefined;
  #spellings: Map<string, Spelling[]> | undefined;

  set(slot: number, segment: Segment | undefined): void {
    this.#unlist(slot);
    this.#segments[slot] = segment;
    this.#list(slot);
    this.#noteBeginnings(segment);
    this.#remembered.clear();
    this.#spellings = undefined;
  }

  has(term: string): boolean {
    return this.occurrences(term).frequency > 0;
  }

  /** In how many tools a term occurs. */
  frequency(term: string): number {
    return this.occurrences(term).frequency;
  }

  startingWith(letter: string): readonly Spelling[] {
    this.#spellings ??= this.#groupByFirstLetter();
    return this.#spellings.get(letter) ?? [];
  }

  occurrences(term: string): Occurrences {
    const known = this.#remembered.get(term);
    if (known !== undefined) return known;
    let found = NOWHERE;
    const hash = hashOf(term);
    if (!this.#mayHave(hash)) return found;
    for (const slot of this.#slotsToAsk(hash)) {
      const segment = this.#segments[slot];
      const local = segment === undefined ? -1 : findTerm(segment, hash);
      if (segment === undefined || local === -1) continue;
      if (found === NOWHERE) found = { slots: [], locals: [], frequency: 0 };
      found.slots.push(slot);
      found.locals.push(local);
      found.frequency += segment.frequencies[local] ?? 0;
    }
    if (this.#remembered.size >= REMEMBERED) this.#remembered.clear();
    this.#remembered.set(term, found);
    return found;
  }

  /** Most words that are asked for are nowhere: a table of what some hash begins with says so at once. */
  #mayHave(hash: number): boolean {
    if (this.#beginnings === undefined) {
      this.#beginnings = new Uint8Array(2 ** BEGINNING_BITS);
      for (const segment of this.#segments) this.#noteBeginnings(segment);
    }
    return this.#beginnings[hash >>> (32 - BEGINNING_BITS)] === 1;
  }

  #noteBeginnings(segment: Segment | undefined): void {
    if (this.#beginnings === undefined || segment === undefined) return;
    const { hashes } = segment;
    for (let i = 0; i < hashes.length; i++) {
      this.#beginnings[(hashes[i] ?? 0) >>> (32 - BEGINNING_BITS)] = 1;
    }
  }

  #slotsToAsk(hash: number): Iterable<number> {
    if (this.#segments.length < MANY_SEGMENTS) return this.#segments.keys();
    if (this.#slotsByHash === undefined) {
      this.#slotsByHash = new Map();
      for (const slot of this.#segments.keys()) this.#list(slot);
    }
    return this.#slotsByHash.get(hash) ?? [];
  }

  #list(slot: number): void {
    if (this.#slotsByHash === undefined) return;
    for (const hash of this.#segments[slot]?.hashes ?? []) {
      const slots = this.#slotsByHash.get(hash);
      if (slots === undefined) this.#slotsByHash.set(hash, [slot]);
      else slots.push(slot);
    }
  }

  #unlist(slot: number): void {
    if (this.#slotsByHash === undefined) return;
    for (const hash of this.#segments[slot]?.hashes ?? []) {
      const left = (this.#slotsByHash.get(hash) ?? []).filter((other) => other !== slot);
      this.#slotsByHash.set(hash, left);
    }
  }

  #groupByFirstLetter(): Map<string, Spelling[]> {
    const groups = new Map<string, Spelling[]>();
    const seen = new Set<number>();
    for (const segment of this.#segments) {
      if (segment === undefined) continue;
      const terms = segment.terms();
      segment.hashes.forEach((hash, local) => {
        if (seen.has(hash)) return;
        seen.add(hash);
        const term = terms[local] ?? '';
        const spelling = { term, length: term.length, letters: lettersOf(term) };
        const group = groups.get(term.charAt(0));
        if (group === undefined) groups.set(term.charAt(0), [spelling]);
        else group.push(spelling);
      });
    }
    return groups;
  }
}

export function lettersOf(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i++) letters |= 1 << ((word.charCodeAt(i) - 97) & 31);
  return letters;
}
