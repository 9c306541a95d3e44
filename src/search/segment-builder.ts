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
import { eachWord } from './words.ts';

const MAX_SUMMARY_CHARACTERS = 240;
const MAX_FIELD_CHARACTERS = 4_000;
const MAX_LENGTH = 65_535;
/** Words of a server's name that nearly every server has. */
const SERVER_FILLER: ReadonlySet<string> = new Set(['mcp', 'server', 'servers']);

/** Builds a segment tool by tool, so that a caller can spread the work over several turns. */
export class SegmentBuilder {
  readonly #server: string;
  readonly #names: string[] = [];
  readonly #seen = new Set<string>();
  readonly #terms: string[] = [];
  readonly #termIds = new Map<string, number>();
  /** Per posting two numbers: the term, and the posting. */
  readonly #entries: number[] = [];
  readonly #lengths: number[] = [];
  readonly #nameStarts: number[] = [0];
  readonly #nameTerms: number[] = [];
  readonly #counts = new Map<number, number>();

  constructor(server: string) {
    this.#server = server;
  }

  /** Skips what is no tool; of two tools with one name the first counts. */
  add(tool: unknown): void {
    const text = readToolText(tool);
    if (text === undefined || this.#seen.has(text.name)) return;
    this.#seen.add(text.name);
    const document = this.#names.push(text.name) - 1;
    this.#counts.clear();
    this.#readFields(text);
    for (const [key, count] of this.#counts) {
      const term = Math.floor(key / FIELD_COUNT);
      const field = key % FIELD_COUNT;
      this.#entries.push(
        term,
        ((document << DOCUMENT_SHIFT) | (field << FIELD_SHIFT) | Math.min(count, COUNT_MASK)) >>> 0,
      );
    }
    this.#nameStarts.push(this.#nameTerms.length);
  }

  finish(): Segment {
    return {
      names: this.#names,
      terms: this.#terms,
      ...sortByTerm(this.#entries, this.#terms.length),
      lengths: Uint16Array.from(this.#lengths),
      nameStarts: Uint32Array.from(this.#nameStarts),
      nameTerms: Uint32Array.from(this.#nameTerms),
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
      const term = this.#count(word, NAME);
      if (compound) return;
      length++;
      this.#nameTerms.push(term);
    });
    return length;
  }

  #readText(text: string, field: number, filler: ReadonlySet<string> = STOP_WORDS): number {
    let length = 0;
    eachWord(text.slice(0, MAX_FIELD_CHARACTERS), (word, compound) => {
      if (STOP_WORDS.has(word) || filler.has(word)) return;
      this.#count(word, field);
      if (!compound) length++;
    });
    return length;
  }

  #count(word: string, field: number): number {
    const stemmed = stem(word);
    let term = this.#termIds.get(stemmed);
    if (term === undefined) {
      term = this.#terms.push(stemmed) - 1;
      this.#termIds.set(stemmed, term);
    }
    const key = term * FIELD_COUNT + field;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    return term;
  }
}

export function endOfFirstSentence(text: string): number {
  const end = /[.!?](?=\s|$)|\n|。|！|？/.exec(text);
  return end === null || end.index > MAX_SUMMARY_CHARACTERS
    ? Math.min(text.length, MAX_SUMMARY_CHARACTERS)
    : end.index + 1;
}

function sortByTerm(
  entries: readonly number[],
  terms: number,
): Pick<Segment, 'starts' | 'postings' | 'frequencies'> {
  const starts = new Uint32Array(terms + 1);
  for (let i = 0; i < entries.length; i += 2) {
    const slot = (entries[i] ?? 0) + 1;
    starts[slot] = (starts[slot] ?? 0) + 1;
  }
  for (let term = 0; term < terms; term++) starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
  const postings = new Uint32Array(entries.length / 2);
  const next = starts.slice();
  for (let i = 0; i < entries.length; i += 2) {
    const term = entries[i] ?? 0;
    const slot = next[term] ?? 0;
    postings[slot] = entries[i + 1] ?? 0;
    next[term] = slot + 1;
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
