import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../regular-file.ts';
import { type CachedUpstream, decodeCacheFile, encodeCacheFile } from './cache-file.ts';
import { removeQuietly } from './remove-quietly.ts';

/** No catalog of a server is longer; what is, is none of ours. */
const MAX_CATALOG_BYTES = 512 * 1024 * 1024;
const SUFFIX = '.catalog';
const TEMPORARY_SUFFIX = '.tmp';
const SLUG_LENGTH = 40;
const DAY_MS = 24 * 3_600_000;
/** Age at which a catalog nobody has written again is removed; a server in use is read again far more often. */
const MAX_AGE_MS = 90 * DAY_MS;
const MAX_TEMPORARY_AGE_MS = DAY_MS;

/** What a cache file is found by. */
export interface CacheName {
  readonly server: string;
  /** Stands for what was configured for the server. */
  readonly configKey: string;
  /** Stands for what the client declared that the lists were read for. */
  readonly clientKey: string;
}

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
      const files = kept.get(filePrefix(name)) ?? [];
      const exact = fileName(name);
      const hit =
        (files.includes(exact) ? this.#firstOf(name.server, [exact]) : undefined) ??
        this.#firstOf(name.server, this.#newestFirst(files.filter((file) => file !== exact)));
      if (hit !== undefined) found.set(name.server, { ...hit.cached, isExact: hit.file === exact });
    }
    return found;
  }

  #firstOf(server: string, files: readonly string[]): { file: string; cached: CachedUpstream } | undefined {
    for (const file of files) {
      const cached = this.#read(server, file);
      if (cached !== undefined) return { file, cached };
    }
    return undefined;
  }

  /** The clients a server's lists are kept for, by the `initialize` parameters they were read with. */
  clientsOf(name: Omit<CacheName, 'clientKey'>): string[] {
    return this.#newestFirst(this.#kept().get(filePrefix(name)) ?? [])
      .map((file) => this.#read(name.server, file)?.initializeParams)
      .filter((params) => params !== undefined);
  }

  /** Keeps what an upstream has said; a folder that cannot be written costs the next session a start. */
  save(name: CacheName, upstream: CachedUpstream): void {
    const file = join(this.#folder, fileName(name));
    const temporary = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(temporary, encodeCacheFile(upstream), { mode: 0o600 });
      renameSync(temporary, file);
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
      const isWhole = file.endsWith(SUFFIX);
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

  /** The files of kept catalogs by the part of their names that is before the client. */
  #kept(): ReadonlyMap<string, readonly string[]> {
    const kept = new Map<string, string[]>();
    for (const file of this.#all()) {
      if (!file.endsWith(SUFFIX)) continue;
      const prefix = file.slice(0, file.lastIndexOf('.', file.length - SUFFIX.length - 1) + 1);
      const files = kept.get(prefix);
      if (files === undefined) kept.set(prefix, [file]);
      else files.push(file);
    }
    return kept;
  }

  #newestFirst(files: readonly string[]): readonly string[] {
    if (files.length < 2) return files;
    const dated = files.map((file) => ({ file, writtenAt: this.#writtenAt(file) }));
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

function filePrefix({ server, configKey }: Omit<CacheName, 'clientKey'>): string {
  return `${server.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, SLUG_LENGTH)}.${configKey}.`;
}

function fileName(name: CacheName): string {
  return `${filePrefix(name)}${name.clientKey}${SUFFIX}`;
}
