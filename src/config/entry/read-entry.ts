import { type CallLimits, limitKeys, TRANSPORTS } from '../schema/entry-keys.ts';
import { readSettings } from '../schema/key.ts';
import { DEFAULT_RUN_SETTINGS, runKeys } from '../schema/run-keys.ts';
import type { Entry } from '../schema/schema.ts';
import { MisspeltKeys } from '../schema/unknown-key.ts';
import { isObject } from '../text/json-value.ts';
import { keyPath } from '../text/key-path.ts';
import { type AdoptedEntry, adoptEntry, type Fault } from './adopt-entry.ts';
import type { EntryPlace, EntryReading } from './entry-reading.ts';
import { readHttp } from './read-http.ts';
import { readStdio } from './read-stdio.ts';
import type { ServerConfig } from './server-config.ts';

/** Nobody reads on after so many of one entry. */
const MOST_FAULTS = 20;

export interface ReadEntry {
  readonly config: ServerConfig;
  readonly warnings: readonly string[];
  /** Whether the schema allows the entry. What is wrong beyond that depends on the environment, or is said anew. */
  readonly fitsSchema: boolean;
  /** Whether a fault stands at a place in the entry, whose line is worth telling. */
  readonly hasPlaces: boolean;
}

/** Reads one server's entry. Its faults end in its own configuration. */
export function readEntry(name: string, raw: unknown, place: EntryPlace): ReadEntry {
  const defaults = { name, ...(place.defaults ?? DEFAULT_RUN_SETTINGS) };
  const faulty = (faults: readonly Fault[], warnings: readonly string[], fitsSchema: boolean): ReadEntry => ({
    config: { kind: 'faulty', ...defaults, reason: reasonOf(faults, place) },
    warnings,
    fitsSchema,
    hasPlaces: faults.some(({ path }) => path !== undefined),
  });
  if (!isObject(raw))
    return faulty(
      [{ text: 'the entry must be an object, {"command": …} or {"url": …}', path: [] }],
      [],
      true,
    );

  const adopted = adoptEntry(raw, place.misspeltKeys ?? new MisspeltKeys());
  const { entry, warnings } = adopted;
  const issues = place.check === undefined ? [] : schemaFaults(adopted, place.check(entry));
  if (entry.disabled === true)
    return {
      config: { kind: 'disabled', ...defaults },
      warnings: [],
      fitsSchema: issues.length === 0,
      hasPlaces: false,
    };
  const faults = [...adopted.faults, ...issues];
  if (faults.length > 0) return faulty(faults, warnings, issues.length === 0);

  const reading: EntryReading = { place, faults, warnings: [...warnings], fromVariables: [] };
  // The schema has allowed it, now or when the text of the file was checked.
  const config = readServer(name, entry as Entry, reading);
  if (config === undefined || faults.length > 0) return faulty(faults, reading.warnings, true);
  return {
    config,
    warnings: [...reading.warnings, ...uselessKeys(config, entry)],
    fitsSchema: true,
    hasPlaces: false,
  };
}

function reasonOf(faults: readonly Fault[], place: EntryPlace): string {
  const shown = faults.slice(0, MOST_FAULTS).map((fault) => sentence(fault, place));
  if (faults.length > MOST_FAULTS) shown.push(`and ${faults.length - MOST_FAULTS} more`);
  return shown.join('; ');
}

/** A fault with its line, where it has one. */
function sentence({ text, path }: Fault, { lineOf }: EntryPlace): string {
  const line = path === undefined ? undefined : lineOf?.(path);
  return line === undefined ? text : `${text} (line ${line})`;
}

function schemaFaults(
  { writtenAs }: AdoptedEntry,
  issues: ReturnType<NonNullable<EntryPlace['check']>>,
): Fault[] {
  return issues.map(({ path: [key = '', ...inner], message }) => {
    const path = [writtenAs.get(String(key)) ?? key, ...inner];
    return { text: `"${keyPath(path)}" ${message}`, path };
  });
}

function readServer(name: string, entry: Entry, reading: EntryReading): ServerConfig | undefined {
  const run = readSettings(runKeys, entry, reading.place.defaults ?? DEFAULT_RUN_SETTINGS);
  const limits = readSettings<CallLimits>(limitKeys, entry, {});
  const settings = { name, ...run, ...limits };
  const transport = entry.type && TRANSPORTS[entry.type];
  const [command, ...leadingArgs] =
    typeof entry.command === 'string' ? [entry.command] : (entry.command ?? []);
  const fault = (text: string) => reading.faults.push({ text });

  const { timeoutMs = 0, maxTimeoutMs = Number.POSITIVE_INFINITY } = limits;
  if (maxTimeoutMs < timeoutMs)
    fault('"maxTimeoutSeconds" is below "timeoutSeconds"; raise it or leave it out');

  if (entry.command !== undefined && entry.url !== undefined) {
    fault('the entry has both "command" and "url"; keep the one that is meant');
  } else if (entry.url !== undefined) {
    if (transport === 'stdio')
      fault(`"type" is "${entry.type}", which needs "command", but the entry has "url"`);
    else return readHttp({ ...settings, transport: transport ?? 'auto' }, entry.url, entry, reading);
  } else if (entry.command === undefined) {
    fault('the entry has neither "command" nor "url"; name the program that runs the server, or its address');
  } else if (transport !== undefined && transport !== 'stdio') {
    fault(`"type" is "${entry.type}", which needs "url", but the entry has "command"`);
  } else {
    return readStdio(settings, [command ?? '', ...leadingArgs, ...(entry.args ?? [])], entry, reading);
  }
  return undefined;
}

function uselessKeys(config: ServerConfig, entry: Readonly<Record<string, unknown>>): string[] {
  const useless = config.kind === 'http' ? ['args', 'env', 'cwd'] : ['headers', 'login'];
  const partner = config.kind === 'http' ? 'url' : 'command';
  return useless
    .filter((key) => Object.keys(entry[key] ?? {}).length > 0)
    .map((key) => `"${key}" has no effect next to "${partner}"`);
}
