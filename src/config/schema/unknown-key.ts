import { isObject } from '../text/json-value.ts';
import { nearest } from '../text/nearest.ts';
import { entryKeys } from './entry-keys.ts';
import { fileKeys, searchKeys } from './file-keys.ts';
import { foreignKeys } from './foreign-keys.ts';

/** Other names for the object of servers, in files of other clients. */
const SERVER_OBJECTS = ['context_servers', 'mcp', 'mcp_servers', 'extensions'];

/** Keys that only an entry of a server has. */
const ENTRY_MARKS = ['command', 'cmd', 'url', 'serverUrl', 'httpUrl', 'baseUrl', 'uri'];

/** Whether a value looks like the entry of a server. */
export function looksLikeEntry(value: unknown): boolean {
  return isObject(value) && ENTRY_MARKS.some((key) => Object.hasOwn(value, key));
}

/** The end of a sentence about an unknown key of an entry that was meant for one of ours; undefined for any other. */
export function misspeltEntryKey(key: string): string | undefined {
  const foreign = new Map(foreignKeys().map((other) => [other.key, other.own]));
  const guess = nearest(key, [...Object.keys(entryKeys), ...foreign.keys()]);
  const meant = guess !== undefined && foreign.has(guess) ? foreign.get(guess) : guess;
  return meant === undefined ? undefined : didYouMean(meant);
}

/** The end of a sentence about an unknown key of the file that was meant for something; undefined for any other. */
export function misplacedFileKey(key: string, value: unknown): string | undefined {
  if (SERVER_OBJECTS.includes(key)) return didYouMean('servers');
  if (looksLikeEntry(value)) return 'is no key toolsift knows; an entry of a server stands inside "servers"';
  const meant = nearest(key, Object.keys(fileKeys));
  return meant === undefined ? undefined : didYouMean(meant);
}

/** The end of a sentence about an unknown key of the file. */
export function unknownFileKey(key: string, value: unknown): string {
  return misplacedFileKey(key, value) ?? known(Object.keys(fileKeys));
}

/** The end of a sentence about an unknown key of `search`. */
export function unknownSearchKey(key: string): string {
  const meant = nearest(key, Object.keys(searchKeys));
  return meant === undefined ? known(Object.keys(searchKeys)) : didYouMean(meant);
}

function didYouMean(key: string): string {
  return `is no key toolsift knows; did you mean "${key}"?`;
}

function known(keys: readonly string[]): string {
  return `is no key toolsift knows; known are ${keys.join(', ')}`;
}
