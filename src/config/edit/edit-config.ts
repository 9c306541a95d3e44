import { existsSync } from 'node:fs';
import { applyEdits, type Edit, findNodeAtLocation, type Node } from 'jsonc-parser';
import { ToolsiftError } from '../../errors.ts';
import { isBareMap } from '../entry/adopt-file.ts';
import { SERVER_KEYS } from '../schema/file-keys.ts';
import { looksLikeEntry } from '../schema/unknown-key.ts';
import { readConfigFile } from '../text/config-text.ts';
import { type ConfigTree, parseConfigTree, treeValue } from '../text/config-tree.ts';
import { isObject } from '../text/json-value.ts';
import { appendMember, type Layout, layoutOf, removeMember, replaceValue } from './json-edits.ts';
import { rewriteFile } from './rewrite-file.ts';

type Servers = Readonly<Record<string, unknown>>;
/** The key the servers stand under; none where they stand at the top of the file. */
type Place = readonly string[];

/** Names of the servers in a file, in its order; none when there is no file. Reads nothing else of it. */
export function configuredNames(file: string): string[] {
  const content = readIfPresent(file);
  return placesIn(content).flatMap((place) => Object.keys(serversAt(content, place)));
}

/** Writes one server's entry into a file, in place of an entry of that name; creates the file when there is none. */
export function putServerEntry(file: string, name: string, entry: object): Promise<void> {
  return putServerEntries(file, [[name, entry]]);
}

/** Writes several entries in one step: all of them are there afterwards, or none. */
export async function putServerEntries(
  file: string,
  entries: Iterable<readonly [name: string, entry: object]>,
): Promise<void> {
  await rewriteFile(file, (target, exists) => {
    let text = exists ? readConfigFile(target) : '';
    for (const [name, entry] of entries) text = withEntry(parseConfigTree(target, text), name, entry);
    return text;
  });
}

function withEntry(content: ConfigTree, name: string, entry: object): string {
  const place = placeOf(content, name) ?? placesIn(content)[0] ?? ['servers'];
  const edits = putEdits(content, { place, name, entry, layout: layoutOf(content.text, content.root) });
  const expected = replaced(content, place, { ...serversAt(content, place), [name]: entry });
  return edited(content, edits, expected);
}

/** The entries of a file as they are written there, by name; none when there is no file. */
export function writtenEntries(file: string): ReadonlyMap<string, unknown> {
  const content = readIfPresent(file);
  return new Map(placesIn(content).flatMap((place) => Object.entries(serversAt(content, place))));
}

/** Removes a server's entry from a file. False when it has none of that name, and is left alone. */
export async function removeServerEntry(file: string, name: string): Promise<boolean> {
  const before = readIfPresent(file);
  if (before === undefined || placeOf(before, name) === undefined) return false;
  await rewriteFile(file, (target) => {
    const content = parseConfigTree(target, readConfigFile(target));
    const place = placeOf(content, name);
    if (place === undefined) return withBom(content, content.text);
    const [servers, entry] = [nodeAt(content, place), nodeAt(content, [...place, name])];
    if (servers === undefined || entry?.parent === undefined) return withBom(content, content.text);
    const { [name]: _, ...others } = serversAt(content, place);
    const edits = removeMember(content.text, servers, entry.parent);
    return edited(content, edits, replaced(content, place, others));
  });
  return true;
}

function putEdits(
  { text, root }: ConfigTree,
  { place, name, entry, layout }: { place: Place; name: string; entry: object; layout: Layout },
): Edit[] {
  if (root === undefined) {
    const content = JSON.stringify(
      { [place[0] ?? 'servers']: { [name]: entry } },
      null,
      layout.indent,
    ).replaceAll('\n', layout.lineBreak);
    const gap = /[^\r\n]$/.test(text) ? layout.lineBreak : '';
    return [{ offset: text.length, length: 0, content: gap + content + layout.lineBreak }];
  }
  const servers = findNodeAtLocation(root, [...place]);
  if (servers === undefined)
    return appendMember(text, root, [place[0] ?? 'servers', { [name]: entry }], layout);
  const present = findNodeAtLocation(servers, [name])?.parent;
  return present === undefined
    ? appendMember(text, servers, [name, entry], layout)
    : replaceValue(text, present, entry, layout);
}

/** The text after the edits, once it is certain that it says what it should: a user's file is at stake. */
function edited(content: ConfigTree, edits: Edit[], expected: object): string {
  const text = applyEdits(content.text, edits);
  const value = treeValue(parseConfigTree(content.file, text));
  if (JSON.stringify(value) !== JSON.stringify(expected)) {
    throw new ToolsiftError(
      'config_invalid',
      `${content.file} has a form toolsift cannot edit safely; edit it by hand`,
    );
  }
  return withBom(content, text);
}

function withBom({ hasBom }: ConfigTree, text: string): string {
  return hasBom ? `\uFEFF${text}` : text;
}

function readIfPresent(file: string): ConfigTree | undefined {
  return existsSync(file) ? parseConfigTree(file, readConfigFile(file)) : undefined;
}

/** Where servers stand in a file. */
function placesIn(content: ConfigTree | undefined): Place[] {
  const file = asObject(content && treeValue(content), content?.file);
  if (isBareMap(file)) return [[]];
  return SERVER_KEYS.filter((key) => file[key] !== undefined).map((key) => [key]);
}

/** Where a server of this name stands. */
function placeOf(content: ConfigTree, name: string): Place | undefined {
  return placesIn(content).find((place) => Object.hasOwn(serversAt(content, place), name));
}

function serversAt(content: ConfigTree | undefined, [key]: Place): Servers {
  if (content === undefined) return {};
  const file = asObject(treeValue(content), content.file);
  if (key !== undefined) return asObject(file[key], `"${key}" in ${content.file}`);
  return Object.fromEntries(Object.entries(file).filter(([name, value]) => looksLikeEntry(name, value)));
}

/** What a file says once its servers are these. */
function replaced(content: ConfigTree, [key]: Place, servers: Servers): object {
  const file = asObject(treeValue(content), content.file);
  if (key !== undefined) return { ...file, [key]: servers };
  const rest = Object.entries(file).filter(
    ([name, value]) => name in servers || !looksLikeEntry(name, value),
  );
  return { ...Object.fromEntries(rest), ...servers };
}

function asObject(value: unknown, what = ''): Servers {
  if (value === undefined) return {};
  if (isObject(value)) return value;
  throw new ToolsiftError('config_invalid', `${what} must be an object`);
}

function nodeAt({ root }: ConfigTree, path: readonly string[]): Node | undefined {
  return root && findNodeAtLocation(root, [...path]);
}
