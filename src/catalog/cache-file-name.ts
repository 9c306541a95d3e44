const SUFFIX = '.catalog';
const SLUG_LENGTH = 40;
const NOTHING = '-';
/**
 * A letter for each capability that our own answer to `initialize` depends on. They stand in the names of files, so
 * that it can be given before any file is read.
 */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['resources', 'r'],
  ['prompts', 'p'],
  ['completions', 'c'],
  ['logging', 'l'],
  ['tasks', 't'],
]);

/** What a cache file is found by. */
export interface CacheName {
  readonly server: string;
  /** Stands for what was configured for the server. */
  readonly configKey: string;
  /** Stands for what the client declared that the lists were read for. */
  readonly clientKey: string;
}

/** A cache file, as its name tells. */
export interface CacheFile {
  readonly file: string;
  /** What it begins with: server and configuration. */
  readonly prefix: string;
  readonly clientKey: string;
  /** Of the capabilities that the server declared, those we look for. */
  readonly capabilities: ReadonlySet<string>;
}

export function cachePrefix({ server, configKey }: Omit<CacheName, 'clientKey'>): string {
  return `${server.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, SLUG_LENGTH)}.${configKey}`;
}

/** @param capabilities names of what the server declared */
export function cacheFileName(name: CacheName, capabilities: ReadonlySet<string>): string {
  const letters = [...LETTERS].filter(([key]) => capabilities.has(key)).map(([, letter]) => letter);
  return `${cachePrefix(name)}.${name.clientKey}.${letters.join('') || NOTHING}${SUFFIX}`;
}

/** Undefined for files of other kinds. */
export function readCacheFileName(file: string): CacheFile | undefined {
  if (!file.endsWith(SUFFIX)) return undefined;
  const [slug, configKey, clientKey, letters, ...more] = file.slice(0, -SUFFIX.length).split('.');
  if (clientKey === undefined || letters === undefined || more.length > 0) return undefined;
  const capabilities = [...LETTERS].filter(([, letter]) => letters.includes(letter)).map(([key]) => key);
  return { file, prefix: `${slug}.${configKey}`, clientKey, capabilities: new Set(capabilities) };
}
