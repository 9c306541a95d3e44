import { fileKeys, SERVER_KEYS } from '../schema/file-keys.ts';
import { isCommentKey } from '../schema/foreign-keys.ts';
import { looksLikeEntry, misplacedFileKey, unknownFileKey } from '../schema/unknown-key.ts';
import type { Problem } from '../text/describe-problems.ts';
import { isObject, type Path } from '../text/json-value.ts';

export interface WrittenEntry {
  readonly path: Path;
  readonly name: string;
  readonly raw: unknown;
}

export interface AdoptedFile {
  /** The keys of the file in our own spellings, the servers among them; what is no object stays what it is. */
  readonly file: unknown;
  readonly entries: readonly WrittenEntry[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

/** Many more than anybody has. */
const MOST_SERVERS = 1000;

/** What a file says in our own spellings: comments go, a bare map of servers is read as `servers`. */
export function adoptFile(value: unknown): AdoptedFile {
  if (!isObject(value)) return { file: value, entries: [], problems: [], warnings: [] };
  const file: Record<string, unknown> = Object.create(null);
  const entries: WrittenEntry[] = [];
  const problems: Problem[] = [];
  const warnings: string[] = [];
  const members = Object.entries(value).filter(([key, each]) => each !== null && !isCommentKey(key));
  const isBare = isBareMap(value);
  const hasServers = isBare || SERVER_KEYS.some((key) => Object.hasOwn(value, key));

  for (const [key, each] of members) {
    if (Object.hasOwn(fileKeys, key)) file[key] = each;
    else if (isBare && looksLikeEntry(key, each)) entries.push({ path: [key], name: key, raw: each });
    else {
      const message = hasServers ? misplacedFileKey(key, each) : unknownFileKey(key, each);
      if (message !== undefined) problems.push({ path: [key], message });
      else warnings.push(`"${key}" is ignored: it is no key toolsift knows`);
    }
  }
  // Nothing of it may be what was meant.
  if (!hasServers && problems.length > 0)
    problems.push({
      path: [],
      message: `has no "servers"; known keys are ${Object.keys(fileKeys).join(', ')}`,
    });
  for (const key of SERVER_KEYS) entries.push(...entriesUnder(key, file[key]));
  if (entries.length > MOST_SERVERS) {
    const message = `has ${entries.length} servers, and toolsift stands in for ${MOST_SERVERS} at most`;
    for (const key of SERVER_KEYS) delete file[key];
    return { file, entries: [], problems: [...problems, { path: [], message }], warnings };
  }
  return { file, entries, problems, warnings };
}

/** Whether the servers stand at the top of the file, as in the `.mcp.json` of a plugin. */
export function isBareMap(value: Readonly<Record<string, unknown>>): boolean {
  if (SERVER_KEYS.some((key) => Object.hasOwn(value, key))) return false;
  return Object.entries(value).some(
    ([key, each]) => !Object.hasOwn(fileKeys, key) && looksLikeEntry(key, each),
  );
}

function entriesUnder(key: string, servers: unknown): WrittenEntry[] {
  // The schema complains of what is no object.
  if (!isObject(servers)) return [];
  return Object.entries(servers)
    .filter(([name, raw]) => !isCommentKey(name) || isObject(raw))
    .map(([name, raw]) => ({ path: [key, name], name, raw }));
}
