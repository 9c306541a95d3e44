import { isObject } from '../text/json-value.ts';
import { nearest } from '../text/nearest.ts';
import { entryKeys } from './entry-keys.ts';
import { fileKeys, searchKeys } from './file-keys.ts';
import { foreignKeys, IGNORED } from './foreign-keys.ts';

/** Other names for the object of servers, in files of other clients. */
const SERVER_OBJECTS = ['context_servers', 'mcp_servers'];
/** Names for it that mean something else in files which have `mcpServers` too. */
const DOUBTFUL_SERVER_OBJECTS = ['mcp', 'extensions'];

const UNKNOWN = 'is no key toolsift knows';

/** Keys that only an entry of a server has. */
const ENTRY_MARKS = ['command', 'cmd', 'url', 'serverUrl', 'httpUrl', 'baseUrl', 'uri'];

/** Whether a member looks like a server's name and entry; an `author` has an address too. */
export function looksLikeEntry(key: string, value: unknown): boolean {
  return !IGNORED.has(key) && isObject(value) && ENTRY_MARKS.some((mark) => Object.hasOwn(value, mark));
}

const FOREIGN: ReadonlyMap<string, string | undefined> = new Map(
  foreignKeys().map(({ key, own }) => [key, own]),
);
const ENTRY_KEYS = [...Object.keys(entryKeys), ...FOREIGN.keys()];
/** A file with more unknown keys than this holds something else, and each look takes a while. */
const MOST_LOOKS = 300;

/** Tells which unknown keys of the entries of one file were meant for keys of ours. */
export class MisspeltKeys {
  #looks = 0;

  /** The end of a sentence about such a key; undefined for any other. */
  about(key: string): string | undefined {
    this.#looks += 1;
    if (this.#looks > MOST_LOOKS) return undefined;
    const guess = nearest(key, ENTRY_KEYS);
    const meant = guess !== undefined && FOREIGN.has(guess) ? FOREIGN.get(guess) : guess;
    return meant === undefined ? undefined : didYouMean(meant);
  }
}

/** The end of a sentence about an unknown key of a file with servers, if it was meant for something. */
export function misplacedFileKey(key: string, value: unknown): string | undefined {
  if (SERVER_OBJECTS.includes(key)) return didYouMean('servers');
  if (looksLikeEntry(key, value)) return `${UNKNOWN}; an entry of a server stands inside "servers"`;
  const meant = nearest(key, Object.keys(fileKeys));
  return meant === undefined ? undefined : didYouMean(meant);
}

/** The end of a sentence about an unknown key of a file without servers. */
export function unknownFileKey(key: string, value: unknown): string {
  if (DOUBTFUL_SERVER_OBJECTS.includes(key)) return didYouMean('servers');
  return misplacedFileKey(key, value) ?? UNKNOWN;
}

/** The end of a sentence about an unknown key of `search`. */
export function unknownSearchKey(key: string): string {
  const meant = nearest(key, Object.keys(searchKeys));
  return meant === undefined
    ? `${UNKNOWN}; known are ${Object.keys(searchKeys).join(', ')}`
    : didYouMean(meant);
}

function didYouMean(key: string): string {
  return `${UNKNOWN}; did you mean "${key}"?`;
}
