import { toolVector } from '../meaning/static-vectors.ts';
import type { TokenTable } from '../meaning/token-table.ts';
import { endOfFirstSentence } from '../words/first-sentence.ts';
import { eachSpan, type VisitSpan } from '../words/words.ts';
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
import { joinVectors, sortByTerm } from './sort-postings.ts';
import { readToolText, type ToolText } from './tool-text.ts';
import { readTraits } from './tool-traits.ts';
import { letGoOfLargeTable, sharedWordTable } from './word-table.ts';

const MAX_FIELD_CHARACTERS = 4_000;
const MAX_NAME_CHARACTERS = 1_024;
/** A word said more often than this in one field says no more: stuffing gains nothing, while its length costs. */
const MAX_COUNT = 3;
const MAX_LENGTH = 65_535;
/** More terms than any server has; words beyond are not indexed. A hash times this plus a term is an exact number. */
const MAX_TERMS = 2 ** 19;
/** Words of a server's name that nearly every server has. */
const SERVER_FILLER: ReadonlySet<string> = new Set(['mcp', 'server', 'servers']);

/** Builds a segment tool by tool, so that a caller can spread the work over several turns. */
export class SegmentBuilder {
  readonly #server: string;
  readonly #names: string[] = [];
  readonly #seen = new Set<string>();
  readonly #words = sharedWordTable();
  /** Per term the number of its stem in the table of words, and the way back. */
  readonly #terms: number[] = [];
  readonly #termOfStem = new Map<number, number>();
  /** Side by side: the term of a posting, and the posting. */
  readonly #entryTerms: number[] = [];
  readonly #entries: number[] = [];
  /** Per term its last entry, which a repetition in the same field adds to. */
  readonly #lastEntries: number[] = [];
  readonly #lengths: number[] = [];
  readonly #nameStarts: number[] = [0];
  readonly #nameTerms: number[] = [];
  readonly #nameRoles: number[] = [];
  readonly #nameActions: number[] = [];
  readonly #textActions: number[] = [];
  readonly #details: number[] = [];
  readonly #vectors: Int8Array[] = [];
  readonly #tokens: TokenTable | undefined;
  /** By term the last document that has it in its first sentence. */
  readonly #summaries: number[] = [];
  #field = NAME;
  #length = 0;

  /** With `tokens` the tools get vectors. */
  constructor(server: string, tokens?: TokenTable) {
    this.#server = server;
    this.#tokens = tokens;
  }

  /** Skips what is no tool; of two tools with one name the first counts. */
  add(tool: unknown): void {
    const text = readToolText(tool);
    if (text === undefined || this.#seen.has(text.name)) return;
    this.#seen.add(text.name);
    this.#names.push(text.name);
    this.#readFields(text);
    this.#readTraits(text);
    this.#nameStarts.push(this.#nameTerms.length);
  }

  finish(): Segment {
    letGoOfLargeTable();
    const { stems, stemHashes } = this.#words;
    const keys = Float64Array.from(
      this.#terms,
      (stem, term) => (stemHashes[stem] ?? 0) * MAX_TERMS + term,
    ).sort();
    const hashes = new Uint32Array(keys.length);
    const places = new Uint32Array(keys.length);
    const terms: string[] = [];
    keys.forEach((key, place) => {
      const term = key % MAX_TERMS;
      hashes[place] = (key - term) / MAX_TERMS;
      places[term] = place;
      terms.push(stems[this.#terms[term] ?? 0] ?? '');
    });
    return {
      names: this.#names,
      hashes,
      terms: () => terms,
      ...sortByTerm(this.#entryTerms, this.#entries, places),
      lengths: Uint16Array.from(this.#lengths),
      nameStarts: Uint32Array.from(this.#nameStarts),
      nameTerms: Uint32Array.from(this.#nameTerms, (term) => places[term] ?? 0),
      nameRoles: Uint8Array.from(this.#nameRoles),
      nameActions: Uint32Array.from(this.#nameActions),
      textActions: Uint32Array.from(this.#textActions),
      details: Uint16Array.from(this.#details),
      vectors: joinVectors(this.#vectors),
    };
  }

  #readTraits(text: ToolText): void {
    const { nameActions, textActions, details, roles } = readTraits(this.#server, text);
    this.#nameActions.push(nameActions);
    this.#textActions.push(textActions);
    this.#details.push(details);
    if (this.#tokens !== undefined) {
      this.#vectors.push(toolVector(this.#tokens, { server: this.#server, ...text }));
    }
    // One for each word that the name has in the index.
    const words = this.#nameTerms.length - this.#nameRoles.length;
    for (let i = 0; i < words; i++) this.#nameRoles.push(roles[i] ?? 0);
  }

  /** Reads in the order of the field numbers, which leaves every term's postings sorted. */
  #readFields(text: ToolText): void {
    const description = text.description.slice(0, MAX_FIELD_CHARACTERS);
    const summaryEnd = endOfFirstSentence(description);
    const lengths = new Array<number>(FIELD_COUNT).fill(0);
    lengths[NAME] = this.#read(text.name.slice(0, MAX_NAME_CHARACTERS), NAME, this.#noteOfName);
    lengths[TITLE] = this.#readText(text.title, TITLE);
    lengths[SERVER] = this.#read(this.#server.slice(0, MAX_NAME_CHARACTERS), SERVER, this.#noteOfServer);
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

  #readText(text: string, field: number): number {
    const cut = text.length > MAX_FIELD_CHARACTERS ? text.slice(0, MAX_FIELD_CHARACTERS) : text;
    return this.#read(cut, field, this.#note);
  }

  /** How many words, compounds left out. */
  #read(text: string, field: number, note: VisitSpan): number {
    this.#field = field;
    this.#length = 0;
    if (text !== '') eachSpan(text, note);
    return this.#length;
  }

  readonly #note: VisitSpan = (source, start, end, compound) => {
    const word = this.#words.find(source, start, end);
    if (this.#words.isStopWord[word] === true) return;
    if (!compound) this.#length++;
    const term = this.#termOf(word);
    if (term === undefined) return;
    const document = this.#names.length;
    if (this.#field === SUMMARY) this.#summaries[term] = document;
    // What the first sentence has said is not said again: repeating a text earns nothing.
    else if (this.#field === DESCRIPTION && this.#summaries[term] === document) return;
    this.#count(term, this.#field);
  };

  /** A name keeps its stop words (`who_am_i`) and their order. */
  readonly #noteOfName: VisitSpan = (source, start, end, compound) => {
    const term = this.#termOf(this.#words.find(source, start, end));
    if (term === undefined) return;
    this.#count(term, NAME);
    if (compound) return;
    this.#length++;
    this.#nameTerms.push(term);
  };

  readonly #noteOfServer: VisitSpan = (source, start, end, compound) => {
    const word = this.#words.find(source, start, end);
    if (!SERVER_FILLER.has(this.#words.words[word] ?? '')) this.#note(source, start, end, compound);
  };

  #termOf(word: number): number | undefined {
    const stem = this.#words.stemOf[word] ?? 0;
    const known = this.#termOfStem.get(stem);
    if (known !== undefined) return known;
    if (this.#terms.length === MAX_TERMS) return undefined;
    const term = this.#terms.push(stem) - 1;
    this.#termOfStem.set(stem, term);
    this.#lastEntries.push(-1);
    return term;
  }

  #count(term: number, field: number): void {
    const place = (((this.#names.length - 1) << DOCUMENT_SHIFT) | (field << FIELD_SHIFT)) >>> 0;
    const last = this.#lastEntries[term] ?? -1;
    const posting = this.#entries[last] ?? 0;
    if (last >= 0 && posting - (posting & COUNT_MASK) === place) {
      if ((posting & COUNT_MASK) < MAX_COUNT) this.#entries[last] = posting + 1;
      return;
    }
    this.#lastEntries[term] = this.#entries.push(place + 1) - 1;
    this.#entryTerms.push(term);
  }
}
