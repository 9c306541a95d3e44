import type { ServerConfig } from '../config.ts';
import type { Problem } from '../problem.ts';
import { isObject } from '../schema/shape.ts';
import type { EntryPlace } from './entry-reading.ts';
import { readEntry } from './read-entry.ts';

export interface ServersReading {
  readonly servers: ReadonlyMap<string, ServerConfig>;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

/** The spellings of the object that holds the servers; a file may have both. */
export const SERVER_KEYS = ['servers', 'mcpServers'] as const;

/** Reads the servers of a file's value, whichever spelling they are under. */
export function readServers(value: Readonly<Record<string, unknown>>, place: EntryPlace): ServersReading {
  const servers = new Map<string, ServerConfig>();
  const problems: Problem[] = [];
  const warnings: string[] = [];
  for (const key of SERVER_KEYS) {
    const entries = value[key];
    // The schema has complained already.
    if (!isObject(entries)) continue;
    for (const [name, raw] of Object.entries(entries)) {
      const path = [key, name];
      const nameFault = serverNameFault(name);
      if (nameFault !== undefined) problems.push({ path, message: nameFault });
      if (servers.has(name)) problems.push({ path, message: 'is in "servers" too; keep one of them' });
      const reading = readEntry(name, raw, place);
      servers.set(name, reading.config);
      problems.push(
        ...reading.unknownKeys.map(
          (inner): Problem => ({ path: [...path, ...inner], unknownKeyIn: 'entry' }),
        ),
      );
      warnings.push(...reading.warnings.map((warning) => `server "${name}": ${warning}`));
    }
  }
  return { servers, problems, warnings };
}

/** Why a server cannot have this name, as the end of a sentence about it. */
export function serverNameFault(name: string): string | undefined {
  if (name.trim() === '') return 'must not be empty: give the server a name';
  if (name.includes('/'))
    return 'must not contain "/", which separates server and tool in "pinned"; rename the server';
  if (/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(name))
    return 'must not contain control characters; rename the server';
  return name === '__proto__' ? 'is no usable name; rename the server' : undefined;
}
