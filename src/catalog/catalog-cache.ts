import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capabilityNames } from '../mcp/capabilities.ts';
import { readRegularFile } from '../regular-file.ts';
import { type CachedUpstream, decodeCacheFile, encodeCacheFile } from './cache-file.ts';
import {
  type CacheFile,
  type CacheName,
  cacheFileName,
  cachePrefix,
  readCacheFileName,
} from './cache-file-name.ts';
import { removeQuietly } from './remove-quietly.ts';

/** No catalog of a server is longer; what is, is none of ours. */
const MAX_CATALOG_BYTES = 512 * 1024 * 1024;
const TEMPORARY_SUFFIX = '.tmp';
const DAY_MS = 24 * 3_600_000;
/** Age at which a catalog nobody has written again is removed; a server in use is read again far more often. */
const MAX_AGE_MS = 90 * DAY_MS;
const MAX_TEMPORARY_AGE_MS = DAY_MS;

export interface CacheHit extends CachedUpstream {
  /** Whether the lists were read for a client that declares the same; others may be shown other tools. */
  readonly isExact: boolean;
}

/**
 * What is known of upstreams, on disk: one file for each configured server and kind of client, so that a session
 * can search before any upstream runs. Files are written whole or not at all; two processes at once do no harm.
 */
export class CatalogCache {
  readonly #folder: string;
  readonly #warn: (message: string) => void;
  #isPruned = false;

  /** @param folder where the files are; made when the first is written */
  constructor(folder: string, warn: (message: string) => void) {
    this.#folder = folder;
    this.#warn = warn;
  }

  /** What was last known of each of these servers, for this client if possible. */
  load(names: readonly CacheName[]): Map<string, CacheHit> {
    const kept = this.#kept();
    const found = new Map<string, CacheHit>();
    for (const name of names) {
      const hit = this.#firstOf(name, kept.get(cachePrefix(name)) ?? []);
      if (hit !== undefined) found.set(name.server, hit);
    }
    return found;
  }

  /** What each of these servers declared when it was last seen, as far as it is known without reading any file. */
  capabilities(names: readonly CacheName[]): Map<string, ReadonlySet<string>> {
    const kept = this.#kept();
    const found = new Map<string, ReadonlySet<string>>();
    for (const name of names) {
      const [first] = this.#inOrder(name, kept.get(cachePrefix(name)) ?? []);
      if (first !== undefined) found.set(name.server, first.capabilities);
    }
    return found;
  }

  #firstOf(name: CacheName, files: readonly CacheFile[]): CacheHit | undefined {
    for (const { file, clientKey } of this.#inOrder(name, files)) {
      const cached = this.#read(name.server, file);
      if (cached !== undefined) return { ...cached, isExact: clientKey === name.clientKey };
    }
    return undefined;
  }

  /** Files of a server as they are to be tried: those for this client, then others, the newest first. */
  #inOrder({ clientKey }: CacheName, files: readonly CacheFile[]): readonly CacheFile[] {
    if (files.length < 2) return files;
    const newest = this.#newestFirst(files);
    const isExact = (file: CacheFile) => file.clientKey === clientKey;
    return [...newest.filter(isExact), ...newest.filter((file) => !isExact(file))];
  }

  /** The clients a server's lists are kept for, by the `initialize` parameters they were read with. */
  clientsOf(name: Omit<CacheName, 'clientKey'>): string[] {
    return this.#newestFirst(this.#kept().get(cachePrefix(name)) ?? [])
      .map(({ file }) => this.#read(name.server, file)?.initializeParams)
      .filter((params) => params !== undefined);
  }

  /** Keeps what an upstream has said; a folder that cannot be written costs the next session a start. */
  save(name: CacheName, upstream: CachedUpstream): void {
    const fileName = cacheFileName(name, capabilityNames(parsed(upstream.snapshot.initializeResult)));
    const file = join(this.#folder, fileName);
    const temporary = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(temporary, encodeCacheFile(upstream), { mode: 0o600 });
      renameSync(temporary, file);
      this.#removeOthers(name, fileName);
      this.#prune();
    } catch (error) {
      this.#warn(`the catalog of server "${name.server}" could not be kept: ${(error as Error).message}`);
      removeQuietly(temporary);
    }
  }

  /** Removes what has not been written for long: entries that were edited away, and halves of killed writers. */
  #prune(): void {
    const now = Date.now();
    for (const file of this.#all()) {
      const isWhole = readCacheFileName(file) !== undefined;
      if (!isWhole && !file.endsWith(TEMPORARY_SUFFIX)) continue;
      // Whole catalogs are many and age slowly: one look a process is enough.
      if (isWhole && this.#isPruned) continue;
      const age = now - this.#writtenAt(file);
      if (age > (isWhole ? MAX_AGE_MS : MAX_TEMPORARY_AGE_MS)) removeQuietly(join(this.#folder, file));
    }
    this.#isPruned = true;
  }

  #writtenAt(file: string): number {
    return statSync(join(this.#folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  }

  /** What the server declared before has another file. */
  #removeOthers(name: CacheName, fileName: string): void {
    for (const { file, clientKey } of this.#kept().get(cachePrefix(name)) ?? []) {
      if (clientKey === name.clientKey && file !== fileName) removeQuietly(join(this.#folder, file));
    }
  }

  /** Kept catalogs by the part of their names that is before the client. */
  #kept(): ReadonlyMap<string, readonly CacheFile[]> {
    const kept = new Map<string, CacheFile[]>();
    for (const file of this.#all().map(readCacheFileName)) {
      if (file === undefined) continue;
      const files = kept.get(file.prefix);
      if (files === undefined) kept.set(file.prefix, [file]);
      else files.push(file);
    }
    return kept;
  }

  #newestFirst(files: readonly CacheFile[]): readonly CacheFile[] {
    if (files.length < 2) return files;
    const dated = files.map((file) => ({ file, writtenAt: this.#writtenAt(file.file) }));
    return dated.sort((a, b) => b.writtenAt - a.writtenAt).map(({ file }) => file);
  }

  #all(): string[] {
    try {
      return readdirSync(this.#folder);
    } catch {
      // Nothing has been kept yet.
      return [];
    }
  }

  #read(server: string, file: string): CachedUpstream | undefined {
    const path = join(this.#folder, file);
    try {
      const cached = decodeCacheFile(server, readRegularFile(path, MAX_CATALOG_BYTES));
      if (cached !== undefined) return cached;
      this.#warn(`the kept catalog of server "${server}" is damaged or of another version; it is read anew`);
      removeQuietly(path);
    } catch (error) {
      this.#warn(`the kept catalog of server "${server}" could not be read: ${(error as Error).message}`);
    }
    return undefined;
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Of a server that says nothing readable nothing is known to be declared.
    return undefined;
  }
}
