import { findTerm, type Segment } from './segment.ts';

const NOWHERE: Occurrences = { slots: [], locals: [], frequency: 0 };
const REMEMBERED = 4_000;
/** From this many servers on, asking every segment costs more than a table of all hashes. */
const MANY_SEGMENTS = 256;

/** Where a term occurs: server slots, the term's number in each of their segments, and in how many tools in all. */
interface Occurrences {
  readonly slots: number[];
  readonly locals: number[];
  frequency: number;
}

/** A term as candidates for typo repair see it. */
export interface Spelling {
  readonly term: string;
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
  /** Slots by hash, once there are many segments. */
  #slotsByHash: Map<number, number[]> | undefined;
  #spellings: Map<string, Spelling[]> | undefined;

  set(slot: number, segment: Segment | undefined): void {
    this.#unlist(slot);
    this.#segments[slot] = segment;
    this.#list(slot);
    this.#remembered.clear();
    this.#spellings = undefined;
  }

  has(term: string): boolean {
    return this.#find(term).frequency > 0;
  }

  /** In how many tools a term occurs. */
  frequency(term: string): number {
    return this.#find(term).frequency;
  }

  eachOccurrence(term: string, visit: (slot: number, local: number) => void): void {
    const { slots, locals } = this.#find(term);
    for (let i = 0; i < slots.length; i++) visit(slots[i] ?? 0, locals[i] ?? 0);
  }

  startingWith(letter: string): readonly Spelling[] {
    this.#spellings ??= this.#groupByFirstLetter();
    return this.#spellings.get(letter) ?? [];
  }

  #find(term: string): Occurrences {
    const known = this.#remembered.get(term);
    if (known !== undefined) return known;
    let found = NOWHERE;
    const hash = hashOf(term);
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
    const terms = new Set<string>();
    for (const segment of this.#segments) for (const term of segment?.terms() ?? []) terms.add(term);
    const groups = new Map<string, Spelling[]>();
    for (const term of terms) {
      const group = groups.get(term.charAt(0));
      const spelling = { term, letters: lettersOf(term) };
      if (group === undefined) groups.set(term.charAt(0), [spelling]);
      else group.push(spelling);
    }
    return groups;
  }
}

/**
 * FNV-1a. Two of a catalog's terms sharing a hash is a one in a hundred thousand affair, and would only mix up the
 * two words.
 */
export function hashOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

export function lettersOf(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i++) letters |= 1 << ((word.charCodeAt(i) - 97) & 31);
  return letters;
}
