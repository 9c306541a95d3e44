import type { ToolKey } from './collection.ts';
import { REQUEST_FILLER, STOP_WORDS } from './stop-words.ts';
import { splitWords } from './words.ts';

const MAX_CHARACTERS = 4_000;
const MAX_NAME_CHARACTERS = 256;
const MAX_CHUNKS = 400;
const MAX_NAME_WORDS = 6;
const SEPARATORS = /[_\-./:]|[a-z][A-Z]|[A-Za-z][0-9]/;
const CHUNK = /[^\s"'`()[\]{}<>,;!?]+/gu;
const NON_ASCII = /[^\0-\x7f]/;
const TRAILING_PUNCTUATION = /[.:]+$/;
const QUOTES = ['`', '"', "'"];

/** Finds tools that a query names literally, so that search can put them first whatever their score. */
export class ExactNames {
  /** By the letters and digits of the name, so that `create_issue`, `createIssue` and "create issue" meet. */
  readonly #byLetters = new Map<string, ToolKey[]>();

  add(server: string, names: readonly string[]): void {
    for (const name of names) push(this.#byLetters, lettersOf(name), { server, name });
  }

  remove(server: string, names: readonly string[]): void {
    for (const name of names) pull(this.#byLetters, lettersOf(name), server);
  }

  /** Groups of tools in the order the query names them; within a group the score decides. */
  find(query: string): ToolKey[][] {
    const whole = query.trim().slice(0, MAX_CHARACTERS);
    const exact = this.#lookUp(whole);
    if (exact.length > 0) return [exact];
    const inside = this.#findInside(whole);
    if (inside.length > 0) return inside;
    const words = splitWords(whole);
    const telling = words.filter((word) => !STOP_WORDS.has(word) && !REQUEST_FILLER.has(word));
    const named = telling.length === 1 ? this.#foldedAs(telling[0] ?? '') : [];
    return named.length === 0 ? [] : [named];
  }

  /** Tools whose name is the query in plain words, with or without spaces. */
  findSpoken(query: string): ToolKey[] {
    const letters = query.length > MAX_CHARACTERS ? '' : lettersOf(query);
    return letters === '' ? [] : (this.#byLetters.get(letters) ?? []);
  }

  /** The spelling itself, `server/name` or `server__name`; failing that the same in other case. */
  #lookUp(text: string): ToolKey[] {
    if (text.length > MAX_NAME_CHARACTERS) return [];
    const literal = this.#named(text);
    const qualified = this.#qualified(text);
    if (qualified.length > 0) return [...qualified, ...literal.filter((key) => !qualified.includes(key))];
    return literal.length > 0 ? literal : this.#foldedAs(text);
  }

  #named(text: string): ToolKey[] {
    return this.#foldedAs(text).filter(({ name }) => name === text);
  }

  #foldedAs(text: string): ToolKey[] {
    const folded = text.toLowerCase();
    return (this.#byLetters.get(lettersOf(text)) ?? []).filter(({ name }) => name.toLowerCase() === folded);
  }

  #qualified(text: string): ToolKey[] {
    for (const joiner of ['/', '__']) {
      for (let at = text.indexOf(joiner); at > 0; at = text.indexOf(joiner, at + 1)) {
        const server = text.slice(0, at).toLowerCase();
        const name = text.slice(at + joiner.length);
        const exact = this.#named(name);
        const keys = exact.length > 0 ? exact : this.#foldedAs(name);
        const found = keys.filter((key) => foldServer(key.server) === foldServer(server));
        if (found.length > 0) return found;
      }
    }
    return [];
  }

  /** Plain words (`search`, `get news`) inside a sentence are no name unless they are quoted; `create_issue` is. */
  #findInside(query: string): ToolKey[][] {
    const groups: ToolKey[][] = [];
    const chunks = [...query.matchAll(CHUNK)].slice(0, MAX_CHUNKS);
    for (const [position, match] of chunks.entries()) {
      const chunk = match[0].replace(TRAILING_PUNCTUATION, '');
      if (SEPARATORS.test(chunk)) groups.push(this.#lookUp(chunk));
      const quote = query.charAt(match.index - 1);
      if (!QUOTES.includes(quote)) continue;
      for (const last of chunks.slice(position, position + MAX_NAME_WORDS)) {
        const end = last.index + last[0].length;
        if (query.charAt(end) === quote) groups.push(this.#named(query.slice(match.index, end)));
      }
    }
    return groups.filter((keys) => keys.length > 0);
  }
}

function lettersOf(text: string): string {
  const folded = text.toLowerCase();
  return NON_ASCII.test(folded)
    ? folded.normalize('NFKD').replace(/[^\p{L}\p{N}]+/gu, '')
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
