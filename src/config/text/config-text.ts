import { errorText, ToolsiftError } from '../../errors.ts';
import { readRegularFile } from '../../regular-file.ts';
import type { ConfigTree } from './config-tree.ts';
import { isObject, type Path } from './json-value.ts';
import { measure } from './measure.ts';
import { MAX_DEPTH, tooDeep } from './too-deep.ts';

/** A thousand servers fit in many times. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** Reads a file at once rather than in the background: nothing can begin before it is read. */
export function readConfigFile(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readRegularFile(file, MAX_FILE_BYTES);
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? errorText(cause);
    throw new ToolsiftError('config_invalid', `cannot read ${file}: ${why}`, { cause });
  }
  const start = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0;
  if (start === 0xfffe || start === 0xfeff) {
    throw new ToolsiftError('config_invalid', `${file} is UTF-16 text; save it as UTF-8`);
  }
  return bytes.toString('utf8');
}

export interface ConfigReading {
  readonly value: unknown;
  /** Keys that stand twice in one object, where the first would silently not count. */
  readonly repeatedKeys: readonly Path[];
  /** Where everything stands, if that had to be found out. */
  readonly tree?: ConfigTree;
}

/**
 * Reads JSON with comments and trailing commas. Plain JSON, which most files are, is read by the engine; only
 * what it does not take, or what needs a closer look, is worth loading a parser for.
 */
export async function readConfigText(file: string, content: string): Promise<ConfigReading> {
  const { depth, keys } = measure(content);
  if (depth > MAX_DEPTH) throw tooDeep(file);
  const plain = readPlainJson(content, keys);
  if (plain !== undefined) return plain;
  const { parseConfigTree, repeatedKeys, treeValue } = await import('./config-tree.ts');
  const tree = parseConfigTree(file, content);
  return { value: treeValue(tree), repeatedKeys: repeatedKeys(tree), tree };
}

/** `JSON.parse` keeps the last of two members of one name: fewer keys than are written mean that one stands twice. */
function readPlainJson(content: string, writtenKeys: number): ConfigReading | undefined {
  try {
    const value: unknown = JSON.parse(content.replace(/^\uFEFF/, ''));
    return countKeys(value) === writtenKeys ? { value, repeatedKeys: [] } : undefined;
  } catch {
    // Comments, trailing commas, or mistakes that the other parser tells better.
    return undefined;
  }
}

function countKeys(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countKeys(item), 0);
  if (!isObject(value)) return 0;
  return Object.values(value).reduce((sum: number, item) => sum + 1 + countKeys(item), 0);
}
