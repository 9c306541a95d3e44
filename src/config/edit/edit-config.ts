import { existsSync } from 'node:fs';
import { applyEdits, type Edit, findNodeAtLocation, type Node } from 'jsonc-parser';
import { ToolsiftError } from '../../errors.ts';
import { SERVER_KEYS } from '../entry/read-servers.ts';
import { isObject } from '../schema/shape.ts';
import { readConfigFile } from '../text/config-text.ts';
import { type ConfigTree, parseConfigTree, treeValue } from '../text/config-tree.ts';
import { appendMember, type Layout, layoutOf, removeMember, replaceValue } from './json-edits.ts';
import { rewriteFile } from './rewrite-file.ts';

type ServerKey = (typeof SERVER_KEYS)[number];
type Servers = Record<string, unknown>;

/** Names of the servers in a file, in its order; none when there is no file. Reads nothing else of it. */
export function configuredNames(file: string): string[] {
  const content = readIfPresent(file);
  return SERVER_KEYS.flatMap((key) => Object.keys(serversUnder(content, key) ?? {}));
}

/** Writes one server's entry into a file, in place of an entry of that name; creates the file when there is none. */
export async function putServerEntry(file: string, name: string, entry: object): Promise<void> {
  await rewriteFile(file, (target, exists) => {
    const content = exists ? parseConfigTree(target, readConfigFile(target)) : emptyText(target);
    const key =
      keyOf(content, name) ?? SERVER_KEYS.find((candidate) => serversUnder(content, candidate)) ?? 'servers';
    const layout = layoutOf(content.text, content.root);
    const edits = putEdits(content, { key, name, entry, layout });
    const expected = { ...asObject(treeValue(content)) };
    expected[key] = { ...serversUnder(content, key), [name]: entry };
    return edited(content, edits, expected);
  });
}

/** Removes a server's entry from a file. False when it has none of that name, and is left alone. */
export async function removeServerEntry(file: string, name: string): Promise<boolean> {
  const before = readIfPresent(file);
  if (before === undefined || keyOf(before, name) === undefined) return false;
  await rewriteFile(file, (target) => {
    const content = parseConfigTree(target, readConfigFile(target));
    const key = keyOf(content, name);
    const [servers, entry] = [nodeAt(content, [key ?? '']), nodeAt(content, [key ?? '', name])];
    if (key === undefined || servers === undefined || entry?.parent === undefined)
      return withBom(content, content.text);
    const { [name]: _, ...others } = serversUnder(content, key) ?? {};
    const expected = { ...asObject(treeValue(content)), [key]: others };
    return edited(content, removeMember(content.text, servers, entry.parent), expected);
  });
  return true;
}

function putEdits(
  { text, root }: ConfigTree,
  { key, name, entry, layout }: { key: ServerKey; name: string; entry: object; layout: Layout },
): Edit[] {
  if (root === undefined) {
    const content = JSON.stringify({ [key]: { [name]: entry } }, null, layout.indent).replaceAll(
      '\n',
      layout.lineBreak,
    );
    const gap = /[^\r\n]$/.test(text) ? layout.lineBreak : '';
    return [{ offset: text.length, length: 0, content: gap + content + layout.lineBreak }];
  }
  const servers = findNodeAtLocation(root, [key]);
  if (servers === undefined) return appendMember(text, root, [key, { [name]: entry }], layout);
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

function emptyText(file: string): ConfigTree {
  return { file, text: '', hasBom: false, root: undefined };
}

/** The spelling under which a server of this name stands. */
function keyOf(content: ConfigTree, name: string): ServerKey | undefined {
  return SERVER_KEYS.find((key) => Object.hasOwn(serversUnder(content, key) ?? {}, name));
}

function serversUnder(content: ConfigTree | undefined, key: ServerKey): Servers | undefined {
  if (content === undefined) return undefined;
  const value = asObject(treeValue(content), content.file)[key];
  return value === undefined ? undefined : asObject(value, `"${key}" in ${content.file}`);
}

function asObject(value: unknown, what = ''): Servers {
  if (value === undefined) return {};
  if (isObject(value)) return value;
  throw new ToolsiftError('config_invalid', `${what} must be an object`);
}

function nodeAt({ root }: ConfigTree, path: string[]): Node | undefined {
  return root && findNodeAtLocation(root, path);
}
