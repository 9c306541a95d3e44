import { splitWords } from '../words/words.ts';
import { FIELD_COUNT } from './fields.ts';
import { tableNorms } from './length-norms.ts';
import type { Segment } from './segment.ts';
import { Vocabulary } from './vocabulary.ts';

export interface Shelf {
  readonly server: string;
  readonly segment: Segment;
  readonly slot: number;
  /** How many words the server's name has, all of them counted. */
  readonly wordsInName: number;
  /** Number of the shelf's first document in the numbering of the whole collection. */
  base: number;
}

export interface ToolKey {
  readonly server: string;
  readonly name: string;
}

/** The segments of all servers side by side, with the totals that scoring needs. */
export class Collection {
  readonly vocabulary = new Vocabulary();
  readonly #shelves: (Shelf | undefined)[] = [];
  readonly #slots = new Map<string, number>();
  readonly #totals = new Array<number>(FIELD_COUNT).fill(0);
  #size = 0;
  #highest = 0;
  #isNumbered: boolean = true;
  #norms: Float64Array | undefined;
  #filled: readonly Shelf[] | undefined;

  get size(): number {
    return this.#size;
  }

  /** One more than the highest document number in use. */
  get span(): number {
    this.#number();
    return this.#highest;
  }

  get servers(): string[] {
    return [...this.#slots.keys()];
  }

  put(server: string, segment: Segment): void {
    this.remove(server);
    let slot = this.#shelves.indexOf(undefined);
    if (slot === -1) slot = this.#shelves.length;
    const wordsInName = splitWords(server).length;
    this.#shelves[slot] = { server, segment, slot, wordsInName, base: 0 };
    this.#slots.set(server, slot);
    this.#account(segment, 1);
    this.vocabulary.set(slot, segment);
  }

  remove(server: string): void {
    const slot = this.#slots.get(server);
    const segment = this.segmentOf(server);
    if (slot === undefined || segment === undefined) return;
    this.#shelves[slot] = undefined;
    this.#slots.delete(server);
    this.#account(segment, -1);
    this.vocabulary.set(slot, undefined);
  }

  segmentOf(server: string): Segment | undefined {
    const slot = this.#slots.get(server);
    return slot === undefined ? undefined : this.#shelves[slot]?.segment;
  }

  /** All shelves in the order of their documents' numbers. */
  shelves(): readonly Shelf[] {
    this.#number();
    this.#filled ??= this.#shelves.filter(
      (shelf): shelf is Shelf => shelf !== undefined && shelf.segment.names.length > 0,
    );
    return this.#filled;
  }

  /** One more than the highest slot in use. */
  get slots(): number {
    return this.#shelves.length;
  }

  shelf(slot: number): Shelf | undefined {
    this.#number();
    return this.#shelves[slot];
  }

  /** What counts are divided by, for `normOf`. */
  lengthNorms(): Float64Array {
    this.#norms ??= tableNorms(this.#totals.map((total) => Math.max(total / Math.max(this.#size, 1), 0.01)));
    return this.#norms;
  }

  #account(segment: Segment, sign: 1 | -1): void {
    this.#size += sign * segment.names.length;
    const { lengths } = segment;
    for (let i = 0; i < lengths.length; i++) {
      const field = i % FIELD_COUNT;
      this.#totals[field] = (this.#totals[field] ?? 0) + sign * (lengths[i] ?? 0);
    }
    this.#isNumbered = false;
    this.#norms = undefined;
    this.#filled = undefined;
  }

  #number(): void {
    if (this.#isNumbered) return;
    this.#highest = 0;
    for (const shelf of this.#shelves) {
      if (shelf === undefined) continue;
      shelf.base = this.#highest;
      this.#highest += shelf.segment.names.length;
    }
    this.#isNumbered = true;
  }
}
