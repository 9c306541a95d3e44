import { dirname } from 'node:path';
import { ToolsiftError } from '../errors.ts';
import type { Config } from './config.ts';
import { adoptFile } from './entry/adopt-file.ts';
import { readServers } from './entry/read-servers.ts';
import { untrusted } from './entry/untrusted.ts';
import { type ConfigSearch, type FoundConfig, findConfig } from './find-config.ts';
import { DEFAULT_FILE_SETTINGS, settingKeys } from './schema/file-keys.ts';
import { readSettings } from './schema/key.ts';
import { DEFAULT_RUN_SETTINGS, runKeys } from './schema/run-keys.ts';
import { readConfigFile, readConfigText } from './text/config-text.ts';
import type { ConfigTree } from './text/config-tree.ts';
import type { Problem } from './text/describe-problems.ts';
import { isObject, type Path } from './text/json-value.ts';

/** Of which texts of configuration files something is known. */
export interface KnownTexts {
  has(file: string, text: string): boolean;
  add(file: string, text: string): void;
}

export interface LoadOptions extends ConfigSearch {
  /** Spares the check, and loading what it takes, for a text that was found valid before. */
  readonly checked?: KnownTexts | undefined;
  /** Texts the user trusts; where absent, all are. A file that somebody named is trusted as it is. */
  readonly trusted?: KnownTexts | undefined;
  /** The file, where it has been found before. */
  readonly found?: FoundConfig | undefined;
}

/**
 * Finds, reads and checks `toolsift.json`. A fault in one server's entry becomes that server's `faulty`
 * configuration; a problem of the file fails with `config_invalid` and every problem there is.
 */
export async function loadConfig(options: LoadOptions = {}): Promise<Config> {
  const { file, foundBy } = options.found ?? (await findConfig(options));
  const content = readConfigFile(file);
  const { value, repeatedKeys, tree } = await readConfigText(file, content);
  const { env = process.env, cwd = process.cwd(), checked, trusted } = options;
  const adopted = adoptFile(value);
  // Loaded only for a text that has not been seen to pass it.
  const schema = checked?.has(file, content) ? undefined : await import('./schema/check.ts');

  const written = isObject(adopted.file) ? adopted.file : {};
  const shapeProblems = schema?.checkFile(adopted.file) ?? [];
  const defaults =
    shapeProblems.length > 0 ? DEFAULT_RUN_SETTINGS : readSettings(runKeys, written, DEFAULT_RUN_SETTINGS);
  const place = { folder: dirname(file), env, cwd, defaults, check: schema?.checkEntry };
  let reading = readServers(adopted.entries, place);
  const problems: Problem[] = [
    ...repeatedKeys.map((path) => ({ path, message: 'stands here twice; keep one' })),
    ...adopted.problems,
    ...shapeProblems,
    ...reading.problems,
  ];
  if (problems.length > 0) throw await configInvalid({ file, content, tree }, problems);
  if (reading.hasPlaces)
    reading = readServers(adopted.entries, { ...place, lineOf: await lineFinder({ file, content, tree }) });
  if (schema !== undefined && reading.fitsSchema) checked?.add(file, content);
  const isTrusted =
    foundBy !== 'the working directory' || trusted === undefined || trusted.has(file, content);
  return {
    ...readSettings(settingKeys, written, DEFAULT_FILE_SETTINGS),
    file,
    foundBy,
    ...(isTrusted ? { servers: reading.servers } : untrusted(file, reading.servers)),
    warnings: shortened([...adopted.warnings, ...reading.warnings]),
  };
}

/** Nobody reads on after so many. */
const MOST_WARNINGS = 100;

function shortened(warnings: readonly string[]): readonly string[] {
  if (warnings.length <= MOST_WARNINGS) return warnings;
  return [...warnings.slice(0, MOST_WARNINGS), `and ${warnings.length - MOST_WARNINGS} more like these`];
}

/** Each takes a walk over the file. */
const MOST_LINES_LOOKED_UP = 200;

interface ReadFile {
  readonly file: string;
  readonly content: string;
  readonly tree: ConfigTree | undefined;
}

/** Where everything stands in a file; plain JSON was read without finding out. */
async function treeOf({ file, content, tree }: ReadFile): Promise<ConfigTree> {
  return tree ?? (await import('./text/config-tree.ts')).parseConfigTree(file, content);
}

/** Tells the line of a key of the file. */
async function lineFinder(read: ReadFile) {
  const { lineOfKeys } = await import('./text/position.ts');
  const lineOf = lineOfKeys(await treeOf(read));
  let lookups = 0;
  return (path: Path) => (++lookups > MOST_LINES_LOOKED_UP ? undefined : lineOf(path));
}

/** The words are loaded only when there is something to say. */
async function configInvalid(read: ReadFile, problems: readonly Problem[]) {
  const { describeProblems } = await import('./text/describe-problems.ts');
  return new ToolsiftError('config_invalid', describeProblems(await treeOf(read), problems));
}
