import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type * as z from 'zod/mini';
import type { ServerConfig } from './config.ts';
import { type Environment, expandVariables, missingVariable } from './expand-variables.ts';
import { adoptForeignKeys } from './foreign-keys.ts';
import { keyPath } from './key-path.ts';
import { sortIssues } from './problem.ts';
import { entrySchema, TRANSPORTS } from './schema.ts';

/** Where an entry stands and runs. */
export interface EntryPlace {
  /** Folder of the file: relative `cwd`s start here. */
  readonly folder: string;
  /** Toolsift's own working directory. */
  readonly cwd: string;
  /** Absent: variables stay as written, for a look at the rest of the entry. */
  readonly env?: Environment;
}

export interface EntryReading {
  readonly config: ServerConfig;
  readonly unknownKeys: readonly (readonly PropertyKey[])[];
  readonly warnings: readonly string[];
}

type Entry = z.infer<typeof entrySchema>;

/** Reads one server's entry. Faults of it end in its own configuration, unknown keys are the file's affair. */
export function readEntry(name: string, raw: unknown, place: EntryPlace): EntryReading {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    const config = {
      kind: 'faulty',
      name,
      reason: 'the entry must be an object, {"command": …} or {"url": …}',
    } as const;
    return { config, unknownKeys: [], warnings: [] };
  }
  const { entry, warnings, faults: foreignFaults } = adoptForeignKeys(raw);
  const parsed = entrySchema.safeParse(entry);
  const { unknownKeys, others } = sortIssues(parsed.error?.issues ?? []);
  if (entry.disabled === true) return { config: { kind: 'disabled', name }, unknownKeys, warnings: [] };

  const faults = [...foreignFaults, ...others.map((issue) => `"${keyPath(issue.path)}" ${issue.message}`)];
  const config =
    parsed.success && faults.length === 0 ? readServer(name, parsed.data, { place, faults }) : undefined;
  if (config === undefined || faults.length > 0) {
    return { config: { kind: 'faulty', name, reason: faults.join('; ') }, unknownKeys, warnings };
  }
  return { config, unknownKeys, warnings: [...warnings, ...uselessKeys(config, entry)] };
}

interface Reading {
  readonly place: EntryPlace;
  readonly faults: string[];
}

function readServer(name: string, entry: Entry, reading: Reading): ServerConfig | undefined {
  const settings = { name, ...readTimeouts(entry, reading) };
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

function readStdio(
  settings: { name: string },
  [rawCommand = '', ...rawArgs]: readonly string[],
  entry: Entry,
  reading: Reading,
): ServerConfig {
  const command = expand(rawCommand, 'command', reading);
  if (command.trim() === '') reading.faults.push('"command" is empty; name the program that runs the server');
  const args = rawArgs.map((arg, at) => expand(arg, `args[${at}]`, reading));
  const env = expandMap(entry.env ?? {}, 'env', reading);
  for (const key of Object.keys(env)) {
    if (key === '' || key.includes('=')) reading.faults.push(`"env.${key}" is no name for a variable`);
  }
  const cwd = entry.cwd === undefined ? reading.place.cwd : readCwd(entry.cwd, reading);
  return { kind: 'stdio', ...settings, command, args, env, cwd };
}

function readCwd(written: string, reading: Reading): string {
  const cwd = expand(written, 'cwd', reading).replace(/^~(?=$|[/\\])/, () => homedir());
  return resolve(reading.place.folder, cwd);
}

function readHttp(
  settings: { name: string },
  writtenUrl: string,
  entry: Entry,
  transport: 'http' | 'sse' | 'auto',
  reading: Reading,
): ServerConfig {
  const url = expand(writtenUrl, 'url', reading);
  const missing = reading.faults.length > 0 || reading.place.env === undefined;
  if (!missing && !/^https?:$/.test(protocolOf(url))) {
    reading.faults.push('"url" is no http:// or https:// address; write it in full');
  }
  const headers = expandMap(entry.headers ?? {}, 'headers', reading);
  for (const [key, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(key))
      reading.faults.push(`"headers.${key}" is no name for an HTTP header`);
    else if (/[\r\n]/.test(value))
      reading.faults.push(`"headers.${key}" has a line break, which HTTP does not allow`);
  }
  return { kind: 'http', ...settings, transport, url, headers };
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : '';
}

function readTimeouts(entry: Entry, { faults }: Reading) {
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

function expand(written: string, path: string, { place, faults }: Reading): string {
  const { text, missing } =
    place.env === undefined ? { text: written, missing: [] } : expandVariables(written, place.env);
  faults.push(...missing.map((variable) => missingVariable(variable, path)));
  if (text.includes('\0')) faults.push(`"${path}" has a NUL character, which no program can be given`);
  return text;
}

function expandMap(
  map: Readonly<Record<string, string>>,
  path: string,
  reading: Reading,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(map).map(([key, value]) => [key, expand(value, `${path}.${key}`, reading)]),
  );
}

function uselessKeys(config: ServerConfig, entry: Record<string, unknown>): string[] {
  const useless = config.kind === 'http' ? ['args', 'env', 'cwd'] : ['headers'];
  const partner = config.kind === 'http' ? 'url' : 'command';
  return useless
    .filter((key) => Object.keys(entry[key] ?? {}).length > 0)
    .map((key) => `"${key}" has no effect next to "${partner}"`);
}
