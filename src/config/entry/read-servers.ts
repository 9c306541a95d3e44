import { MisspeltKeys } from '../schema/unknown-key.ts';
import type { Problem } from '../text/describe-problems.ts';
import type { WrittenEntry } from './adopt-file.ts';
import type { EntryPlace } from './entry-reading.ts';
import { readEntry } from './read-entry.ts';
import type { ServerConfig } from './server-config.ts';

export interface ServersReading {
  readonly servers: ReadonlyMap<string, ServerConfig>;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
  /** Whether every entry is one that the schema allows. */
  readonly fitsSchema: boolean;
  /** Whether any fault stands at a place of the file, whose line is worth telling. */
  readonly hasPlaces: boolean;
}

/** Reads the servers of a file. */
export function readServers(entries: readonly WrittenEntry[], place: EntryPlace): ServersReading {
  const servers = new Map<string, ServerConfig>();
  const problems: Problem[] = [];
  const warnings: string[] = [];
  let [fitsSchema, hasPlaces] = [true, false];
  const { lineOf, misspeltKeys = new MisspeltKeys() } = place;
  for (const { path, name, raw } of entries) {
    const nameFault = serverNameFault(name);
    if (nameFault !== undefined) problems.push({ path, message: nameFault });
    if (servers.has(name)) problems.push({ path, message: 'is in "servers" too; keep one of them' });
    const reading = readEntry(name, raw, {
      ...place,
      misspeltKeys,
      ...(lineOf && { lineOf: (inner) => lineOf([...path, ...inner]) }),
    });
    servers.set(name, reading.config);
    fitsSchema &&= reading.fitsSchema;
    hasPlaces ||= reading.hasPlaces;
    warnings.push(...reading.warnings.map((warning) => `server "${name}": ${warning}`));
  }
  return { servers, problems, warnings, fitsSchema, hasPlaces };
}

/** Why a server cannot have this name, as the end of a sentence about it. */
export function serverNameFault(name: string): string | undefined {
  if (name.trim() === '') return 'must not be empty: give the server a name';
  if (/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(name))
    return 'must not contain control characters; rename the server';
  return name === '__proto__' ? 'is no usable name; rename the server' : undefined;
}
