import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { ServerSettings, StdioServerConfig } from '../config.ts';
import type { Entry } from '../schema/schema.ts';
import { type EntryReading, expand, expandMap } from './entry-reading.ts';

export function readStdio(
  settings: ServerSettings,
  [rawCommand = '', ...rawArgs]: readonly string[],
  entry: Entry,
  reading: EntryReading,
): StdioServerConfig {
  const command = expand(rawCommand, 'command', reading);
  if (command.trim() === '') reading.faults.push('"command" is empty; name the program that runs the server');
  const args = rawArgs.map((arg, at) => expand(arg, `args[${at}]`, reading));
  const env = expandMap(entry.env ?? {}, 'env', reading);
  for (const key of Object.keys(env)) {
    if (key === '' || key.includes('=')) reading.faults.push(`"env.${key}" is no name for a variable`);
  }
  const named = entry.cwd === undefined ? undefined : readCwd(entry.cwd, reading);
  const { cwd, folder } = reading.place;
  return { kind: 'stdio', ...settings, command, args, env, cwd: named ?? cwd, place: named ?? folder };
}

function readCwd(written: string, reading: EntryReading): string {
  const cwd = expand(written, 'cwd', reading).replace(/^~(?=$|[/\\])/, () => homedir());
  return resolve(reading.place.folder, cwd);
}
