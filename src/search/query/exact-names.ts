import type { ToolKey } from '../index/collection.ts';
import { REQUEST_FILLER, STOP_WORDS } from '../words/stop-words.ts';
import { splitWords } from '../words/words.ts';
import { cutQuery } from './cut-query.ts';

const MAX_NAME_CHARACTERS = 256;
const MAX_CHUNKS = 400;
/** Signs that make a word an identifier. */
const IDENTIFIER = /[_\-./:]|[a-z][A-Z]|[A-Za-z][0-9]/;
const CHUNK = /[^\s"'`“”()[\]{}<>,;!?]+/gu;
const QUOTED = /(?<![a-z0-9])(?:(["'`])(.{1,256}?)\1|“([^”]{1,256})”)(?![a-z0-9])/gi;
const CLOSING_PUNCTUATION = /[.,:;!?]+$/;
const NON_ASCII = /[^\0-\x7f]/;
/** Words alone, without signs that would mean something (`C++`, `I/O`). */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}\s_.,-]*[?!.]*$/u;
/** The same for ASCII alone; the classes of all scripts take milliseconds to compile, paid by a first search. */
const ASCII_PLAIN = /^[a-z0-9][a-z0-9\s_.,-]*[?!.]*$/i;

/** Whether a server is searched. */
type Includes = (server: string) => boolean;

/** Finds tools that a query names, so that search can put them first whatever their score. */
export class ExactNames {
  /** By the letters and digits of the name, so that `create_issue`, `createIssue` and "create issue" meet. */
  readonly #byLetters = new Map<string, ToolKey[]>();
  /** The letters and digits of each server's name. */
  readonly #servers = new Map<string, string>();

  add(server: string, names: readonly string[]): void {
    this.#servers.set(server, lettersOf(server));
    for (const name of names) push(this.#byLetters, lettersOf(name), { server, name });
  }

  remove(server: string, names: readonly string[]): void {
    this.#servers.delete(server);
    for (const letters of new Set(names.map(lettersOf))) pull(this.#byLetters, letters, server);
  }

  /** Groups of tools in the order the query names them; within a group the score decides. */
  find(query: string, includes: Includes): ToolKey[][] {
    const whole = cutQuery(query);
    const exact = this.#lookUp(whole, includes) ?? this.#foldedAs(whole, includes);
    if (exact.length > 0) return [exact];
    const inside = this.#findInside(whole, includes);
    if (inside.length > 0) return inside;
    const spoken = isPlain(whole) ? this.#spokenAs(whole, includes) : [];
    return spoken.length === 0 ? [] : [spoken];
  }

  /** The spelling itself, `server/name` or `server__name`. */
  #lookUp(text: string, includes: Includes): ToolKey[] | undefined {
    if (text.length > MAX_NAME_CHARACTERS) return undefined;
    const literal = this.#named(text, includes);
    const qualified = this.#qualified(text, includes);
    if (qualified.length > 0) return [...qualified, ...literal.filter((key) => !qualified.includes(key))];
    return literal.length > 0 ? literal : undefined;
  }

  #named(text: string, includes: Includes): ToolKey[] {
    return this.#lettered(lettersOf(text), includes).filter(({ name }) => name === text);
  }

  #foldedAs(text: string, includes: Includes): ToolKey[] {
    const folded = text.toLowerCase();
    return this.#lettered(lettersOf(text), includes).filter(({ name }) => name.toLowerCase() === folded);
  }

  #lettered(letters: string, includes: Includes): ToolKey[] {
    return (this.#byLetters.get(letters) ?? []).filter(({ server }) => includes(server));
  }

  #qualified(text: string, includes: Includes): ToolKey[] {
    for (const joiner of ['/', '__']) {
      for (let at = text.indexOf(joiner); at > 0; at = text.indexOf(joiner, at + 1)) {
        const server = foldServer(text.slice(0, at));
        const name = text.slice(at + joiner.length);
        const exact = this.#named(name, includes);
        const keys = exact.length > 0 ? exact : this.#foldedAs(name, includes);
        const found = keys.filter((key) => foldServer(key.server) === server);
        if (found.length > 0) return found;
      }
    }
    return [];
  }

  /** Plain words (`search`, `get news`) inside a sentence are no name unless they are quoted; `create_issue` is. */
  #findInside(query: string, includes: Includes): ToolKey[][] {
    const found: { start: number; end: number; keys: ToolKey[] }[] = [];
    for (const match of query.matchAll(QUOTED)) {
      const text = (match[2] ?? match[3] ?? '').replace(CLOSING_PUNCTUATION, '');
      const keys = this.#lookUp(text, includes);
      if (keys !== undefined) found.push({ start: match.index, end: match.index + match[0].length, keys });
    }
    for (const match of [...query.matchAll(CHUNK)].slice(0, MAX_CHUNKS)) {
      const chunk = match[0].replace(CLOSING_PUNCTUATION, '');
      const isKnown = found.some(({ start, end }) => start <= match.index && match.index < end);
      if (isKnown || !IDENTIFIER.test(chunk)) continue;
      const keys = this.#lookUp(chunk, includes) ?? this.#identifiersAs(chunk, includes);
      if (keys.length > 0) found.push({ start: match.index, end: match.index, keys });
    }
    return found.sort((a, b) => a.start - b.start).map(({ keys }) => keys);
  }

  /** The name in other case; but a brand in a sentence (`YouTube`) does not name a tool `youtube`. */
  #identifiersAs(text: string, includes: Includes): ToolKey[] {
    return this.#foldedAs(text, includes).filter(({ name }) => IDENTIFIER.test(name));
  }

  /** The name in plain words, with its server's or without, or with words that say nothing between: "create an issue". */
  #spokenAs(query: string, includes: Includes): ToolKey[] {
    const letters = lettersOf(query);
    const words = splitWords(query);
    const spoken = words.join(' ');
    // One word may be several of the name (sendmail); several words are not one of it (no table, notable).
    const isSpoken = (...parts: string[]) =>
      words.length === 1 || parts.flatMap((part) => splitWords(part)).join(' ') === spoken;
    const alone = this.#lettered(letters, includes).filter(({ name }) => isSpoken(name));
    if (alone.length > 0) return alone;
    const withServer = [...this.#servers]
      .filter(([, start]) => start !== '' && start.length < letters.length && letters.startsWith(start))
      .flatMap(([server, start]) => this.#lettered(letters.slice(start.length), (other) => other === server))
      .filter(({ server, name }) => includes(server) && isSpoken(server, name));
    if (withServer.length > 0) return withServer;
    const telling = words.filter((word) => !STOP_WORDS.has(word) && !REQUEST_FILLER.has(word));
    return this.#lettered(telling.join(''), includes).filter(
      ({ name }) => telling.length > 0 && splitWords(name).join(' ') === telling.join(' '),
    );
  }
}

function isPlain(query: string): boolean {
  return (NON_ASCII.test(query) ? PLAIN : ASCII_PLAIN).test(query);
}

function lettersOf(text: string): string {
  const folded = text.toLowerCase();
  return NON_ASCII.test(folded)
    ? folded.normalize('NFKC').replace(/[^\p{L}\p{N}\p{M}]+/gu, '')
    : folded.replace(/[^a-z0-9]+/g, '');
}

/** Server names as people type them where a space or a dot cannot stand. */
function foldServer(server: string): string {
  return server.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_');
}

function push(map: Map<string, ToolKey[]>, at: string, key: ToolKey): void {
  const keys = map.get(at);
  if (keys === undefined) map.set(at, [key]);
  else keys.push(key);
}

function pull(map: Map<string, ToolKey[]>, at: string, server: string): void {
  const left = (map.get(at) ?? []).filter((key) => key.server !== server);
  if (left.length === 0) map.delete(at);
  else map.set(at, left);
}
