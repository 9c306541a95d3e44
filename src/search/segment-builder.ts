import {
  ARGUMENT_DESCRIPTIONS,
  ARGUMENT_NAMES,
  DESCRIPTION,
  ENUM_VALUES,
  FIELD_COUNT,
  NAME,
  SERVER,
  SUMMARY,
  TITLE,
} from './fields.ts';
import { COUNT_MASK, DOCUMENT_SHIFT, FIELD_SHIFT, type Segment } from './segment.ts';
import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';
import { readToolText, type ToolText } from './tool-text.ts';
import { hashOf } from './vocabulary.ts';
import { eachWord } from './words.ts';

const MAX_SUMMARY_CHARACTERS = 240;
const MAX_FIELD_CHARACTERS = 4_000;
const MAX_LENGTH = 65_535;
const STOP_WORD = -1;
const NO_FILLER: ReadonlySet<string> = new Set();
/** Words of a server's name that nearly every server has. */
const SERVER_FILLER: ReadonlySet<string> = new Set(['mcp', 'server', 'servers']);

/** Builds a segment tool by tool, so that a caller can spread the work over several turns. */
export class SegmentBuilder {
  readonly #server: string;
  readonly #names: string[] = [];
  readonly #seen = new Set<string>();
  readonly #terms: string[] = [];
  readonly #termIds = new Map<string, number>();
  /** Words as they are written to terms, so that most words cost one look-up. */
  readonly #written = new Map<string, number>();
  /** Side by side: the term of a posting, and the posting. */
  readonly #entryTerms: number[] = [];
  readonly #entries: number[] = [];
  /** Per term its last entry, which a repetition in the same field adds to. */
  readonly #lastEntries: number[] = [];
  readonly #lengths: number[] = [];
  readonly #nameStarts: number[] = [0];
  readonly #nameTerms: number[] = [];

  constructor(server: string) {
    this.#server = server;
  }

  /** Skips what is no tool; of two tools with one name the first counts. */
  add(tool: unknown): void {
    const text = readToolText(tool);
    if (text === undefined || this.#seen.has(text.name)) return;
    this.#seen.add(text.name);
    this.#names.push(text.name);
    this.#readFields(text);
    this.#nameStarts.push(this.#nameTerms.length);
  }

  finish(): Segment {
    const hashes = Uint32Array.from(this.#terms, hashOf);
    const order = Uint32Array.from(hashes, (_, term) => term).sort(
      (a, b) => (hashes[a] ?? 0) - (hashes[b] ?? 0),
    );
    const places = new Uint32Array(order.length);
    for (let place = 0; place < order.length; place++) places[order[place] ?? 0] = place;
    const terms = Array.from(order, (term) => this.#terms[term] ?? '');
    return {
      names: this.#names,
      hashes: hashes.sort(),
      terms: () => terms,
      ...sortByTerm(this.#entryTerms, this.#entries, places),
      lengths: Uint16Array.from(this.#lengths),
      nameStarts: Uint32Array.from(this.#nameStarts),
      nameTerms: Uint32Array.from(this.#nameTerms, (term) => places[term] ?? 0),
    };
  }

  /** Reads in the order of the field numbers, which leaves every term's postings sorted. */
  #readFields(text: ToolText): void {
    const description = text.description.slice(0, MAX_FIELD_CHARACTERS);
    const summaryEnd = endOfFirstSentence(description);
    const lengths = new Array<number>(FIELD_COUNT).fill(0);
    lengths[NAME] = this.#readName(text.name);
    lengths[TITLE] = this.#readText(text.title, TITLE);
    lengths[SERVER] = this.#readText(this.#server, SERVER, SERVER_FILLER);
    lengths[SUMMARY] = this.#readText(description.slice(0, summaryEnd), SUMMARY);
    lengths[ARGUMENT_NAMES] = this.#readText(text.argumentNames.join(' '), ARGUMENT_NAMES);
    lengths[ENUM_VALUES] = this.#readText(text.enumValues.join(' '), ENUM_VALUES);
    lengths[ARGUMENT_DESCRIPTIONS] = this.#readText(
      text.argumentDescriptions.join(' '),
      ARGUMENT_DESCRIPTIONS,
    );
    lengths[DESCRIPTION] = this.#readText(description.slice(summaryEnd), DESCRIPTION);
    for (const length of lengths) this.#lengths.push(Math.min(length, MAX_LENGTH));
  }

  /** A name keeps its stop words (`who_am_i`) and their order. */
  #readName(name: string): number {
    let length = 0;
    eachWord(name, (word, compound) => {
      const term = this.#enter(stem(word));
      this.#count(term, NAME);
      if (compound) return;
      length++;
      this.#nameTerms.push(term);
    });
    return length;
  }

  #readText(text: string, field: number, filler = NO_FILLER): number {
    let length = 0;
    eachWord(
      text.length > MAX_FIELD_CHARACTERS ? text.slice(0, MAX_FIELD_CHARACTERS) : text,
      (word, compound) => {
        const term = this.#termOf(word);
        if (term === STOP_WORD || filler.has(word)) return;
        this.#count(term, field);
        if (!compound) length++;
      },
    );
    return length;
  }

  #termOf(word: string): number {
    const known = this.#written.get(word);
    if (known !== undefined) return known;
    const term = STOP_WORDS.has(word) ? STOP_WORD : this.#enter(stem(word));
    this.#written.set(word, term);
    return term;
  }

  #enter(stemmed: string): number {
    const known = this.#termIds.get(stemmed);
    if (known !== undefined) return known;
    const term = this.#terms.push(stemmed) - 1;
    this.#termIds.set(stemmed, term);
    this.#lastEntries.push(-1);
    return term;
  }

  #count(term: number, field: number): void {
    const place = (((this.#names.length - 1) << DOCUMENT_SHIFT) | (field << FIELD_SHIFT)) >>> 0;
    const last = this.#lastEntries[term] ?? -1;
    const posting = this.#entries[last] ?? 0;
    if (last >= 0 && posting - (posting & COUNT_MASK) === place) {
      if ((posting & COUNT_MASK) < COUNT_MASK) this.#entries[last] = posting + 1;
      return;
    }
    this.#lastEntries[term] = this.#entries.push(place + 1) - 1;
    this.#entryTerms.push(term);
  }
}

export function endOfFirstSentence(text: string): number {
  const end = /[.!?](?=\s|$)|\n|。|！|？/.exec(text);
  return end === null || end.index > MAX_SUMMARY_CHARACTERS
    ? Math.min(text.length, MAX_SUMMARY_CHARACTERS)
    : end.index + 1;
}

/** A counting sort; entries of one term are in order already. `places` are the terms' numbers by hash. */
function sortByTerm(
  terms: readonly number[],
  entries: readonly number[],
  places: Uint32Array,
): Pick<Segment, 'starts' | 'postings' | 'frequencies'> {
  const starts = new Uint32Array(places.length + 1);
  for (const term of terms) {
    const slot = (places[term] ?? 0) + 1;
    starts[slot] = (starts[slot] ?? 0) + 1;
  }
  for (let term = 0; term < places.length; term++) {
    starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
  }
  const postings = new Uint32Array(entries.length);
  const next = starts.slice();
  for (let i = 0; i < entries.length; i++) {
    const place = places[terms[i] ?? 0] ?? 0;
    const slot = next[place] ?? 0;
    postings[slot] = entries[i] ?? 0;
    next[place] = slot + 1;
  }
  return { starts, postings, frequencies: countDocuments(starts, postings) };
}

function countDocuments(starts: Uint32Array, postings: Uint32Array): Uint32Array {
  const frequencies = new Uint32Array(starts.length - 1);
  for (let term = 0; term < frequencies.length; term++) {
    let last = -1;
    let count = 0;
    for (let i = starts[term] ?? 0; i < (starts[term + 1] ?? 0); i++) {
      const document = (postings[i] ?? 0) >>> DOCUMENT_SHIFT;
      if (document !== last) count++;
      last = document;
    }
    frequencies[term] = count;
  }
  return frequencies;
}
