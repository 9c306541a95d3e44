import type { Segment } from './segment.ts';

/** Where a term occurs: a server's slot and the term's number in its segment. */
export interface Occurrence {
  readonly slot: number;
  readonly term: number;
  /** In how many tools of that server it occurs. */
  readonly frequency: number;
}

/** All terms of all segments, each with the segments that hold it and in how many tools it occurs. */
export class Vocabulary {
  readonly #occurrences = new Map<string, Occurrence[]>();
  #byFirstLetter: Map<string, string[]> | undefined;

  add(slot: number, segment: Segment): void {
    segment.terms.forEach((text, term) => {
      const occurrence = { slot, term, frequency: segment.frequencies[term] ?? 0 };
      const others = this.#occurrences.get(text);
      if (others === undefined) this.#occurrences.set(text, [occurrence]);
      else others.push(occurrence);
    });
    this.#byFirstLetter = undefined;
  }

  remove(slot: number, segment: Segment): void {
    for (const text of segment.terms) {
      const left = (this.#occurrences.get(text) ?? []).filter((occurrence) => occurrence.slot !== slot);
      if (left.length === 0) this.#occurrences.delete(text);
      else this.#occurrences.set(text, left);
    }
    this.#byFirstLetter = undefined;
  }

  has(term: string): boolean {
    return this.#occurrences.has(term);
  }

  occurrences(term: string): readonly Occurrence[] {
    return this.#occurrences.get(term) ?? [];
  }

  /** In how many tools a term occurs. */
  frequency(term: string): number {
    let sum = 0;
    for (const occurrence of this.occurrences(term)) sum += occurrence.frequency;
    return sum;
  }

  startingWith(letter: string): readonly string[] {
    this.#byFirstLetter ??= this.#groupByFirstLetter();
    return this.#byFirstLetter.get(letter) ?? [];
  }

  #groupByFirstLetter(): Map<string, string[]> {
    const groups = new Map<string, string[]>();
    for (const term of this.#occurrences.keys()) {
      const letter = term.charAt(0);
      const group = groups.get(letter);
      if (group === undefined) groups.set(letter, [term]);
      else group.push(term);
    }
    for (const group of groups.values()) group.sort(compareTerms);
    return groups;
  }
}

function compareTerms(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
