import type { ServerConfig } from '../config.ts';
import { sortIssues } from '../problem.ts';
import { type Entry, entryShape, TRANSPORTS } from '../schema/schema.ts';
import { checkShape, isObject, type Path } from '../schema/shape.ts';
import { keyPath } from '../text/key-path.ts';
import type { EntryPlace, EntryReading } from './entry-reading.ts';
import { adoptForeignKeys } from './foreign-keys.ts';
import { readHttp } from './read-http.ts';
import { readStdio } from './read-stdio.ts';
import { DEFAULT_RUN_SETTINGS, readRunSettings } from './run-settings.ts';

export interface ReadEntry {
  readonly config: ServerConfig;
  readonly unknownKeys: readonly Path[];
  readonly warnings: readonly string[];
}

/** Reads one server's entry. Faults of it end in its own configuration, unknown keys are the file's affair. */
export function readEntry(name: string, raw: unknown, place: EntryPlace): ReadEntry {
  const defaults = place.defaults ?? DEFAULT_RUN_SETTINGS;
  if (!isObject(raw)) {
    const config = {
      kind: 'faulty',
      name,
      ...defaults,
      reason: 'the entry must be an object, {"command": …} or {"url": …}',
    } as const;
    return { config, unknownKeys: [], warnings: [] };
  }
  const { entry, warnings, faults: foreignFaults } = adoptForeignKeys(raw);
  const parsed = checkShape(entryShape, entry);
  const { unknownKeys, others } = sortIssues(parsed.issues);
  if (entry.disabled === true)
    return { config: { kind: 'disabled', name, ...defaults }, unknownKeys, warnings: [] };

  const faults = [...foreignFaults, ...others.map((issue) => `"${keyPath(issue.path)}" ${issue.message}`)];
  const config =
    parsed.value !== undefined && faults.length === 0
      ? readServer(name, parsed.value, { place, faults })
      : undefined;
  if (config === undefined || faults.length > 0) {
    return {
      config: { kind: 'faulty', name, ...defaults, reason: faults.join('; ') },
      unknownKeys,
      warnings,
    };
  }
  return { config, unknownKeys, warnings: [...warnings, ...uselessKeys(config, entry)] };
}

function readServer(name: string, entry: Entry, reading: EntryReading): ServerConfig | undefined {
  const run = readRunSettings(entry, reading.place.defaults ?? DEFAULT_RUN_SETTINGS);
  const settings = { name, ...run, ...readTimeouts(entry, reading) };
  const transport = entry.type && TRANSPORTS[entry.type];
  const [command, ...leadingArgs] =
    typeof entry.command === 'string' ? [entry.command] : (entry.command ?? []);
  const { faults } = reading;

  if (entry.command !== undefined && entry.url !== undefined) {
    faults.push('the entry has both "command" and "url"; keep the one that is meant');
  } else if (entry.url !== undefined) {
    if (transport === 'stdio')
      faults.push(`"type" is "${entry.type}", which needs "command", but the entry has "url"`);
    else return readHttp(settings, entry.url, entry, transport ?? 'auto', reading);
  } else if (entry.command === undefined) {
    faults.push(
      'the entry has neither "command" nor "url"; name the program that runs the server, or its address',
    );
  } else if (transport !== undefined && transport !== 'stdio') {
    faults.push(`"type" is "${entry.type}", which needs "url", but the entry has "command"`);
  } else {
    return readStdio(settings, [command ?? '', ...leadingArgs, ...(entry.args ?? [])], entry, reading);
  }
  return undefined;
}

function readTimeouts(entry: Entry, { faults }: EntryReading) {
  const { timeoutSeconds, maxTimeoutSeconds, toolTimeouts } = entry;
  if (timeoutSeconds !== undefined && maxTimeoutSeconds !== undefined && maxTimeoutSeconds < timeoutSeconds) {
    faults.push('"maxTimeoutSeconds" is below "timeoutSeconds"; raise it or leave it out');
  }
  return {
    ...(timeoutSeconds !== undefined && { timeoutMs: toMs(timeoutSeconds) }),
    ...(maxTimeoutSeconds !== undefined && { maxTimeoutMs: toMs(maxTimeoutSeconds) }),
    ...(toolTimeouts !== undefined && {
      toolTimeoutsMs: new Map(Object.entries(toolTimeouts).map(([tool, seconds]) => [tool, toMs(seconds)])),
    }),
  };
}

function toMs(seconds: number): number {
  return Math.round(seconds * 1000);
}

function uselessKeys(config: ServerConfig, entry: Record<string, unknown>): string[] {
  const useless = config.kind === 'http' ? ['args', 'env', 'cwd'] : ['headers'];
  const partner = config.kind === 'http' ? 'url' : 'command';
  return useless
    .filter((key) => Object.keys(entry[key] ?? {}).length > 0)
    .map((key) => `"${key}" has no effect next to "${partner}"`);
}
