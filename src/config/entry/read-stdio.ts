import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Entry } from '../schema/schema.ts';
import { type EntryReading, expand, expandMap, givenBy } from './entry-reading.ts';
import type { ServerSettings, StdioServerConfig } from './server-config.ts';

export function readStdio(
  settings: ServerSettings,
  [rawCommand = '', ...rawArgs]: readonly string[],
  entry: Entry,
  reading: EntryReading,
): StdioServerConfig {
  const fault = (text: string) => reading.faults.push({ text });
  const command = expand(rawCommand, 'command', reading);
  if (command.trim() === '') fault('"command" is empty; name the program that runs the server');
  const env = expandMap(entry.env ?? {}, 'env', reading);
  const args = rawArgs.map((arg, at) => expand(arg, `args[${at}]`, reading, entry.env));
  for (const key of Object.keys(env)) {
    if (key === '' || key.includes('=')) fault(`"env.${key}" is no name for a variable`);
  }
  const named = entry.cwd === undefined ? undefined : readCwd(entry.cwd, reading);
  const { cwd, folder } = reading.place;
  if (holdsArguments(command, named ?? cwd)) {
    fault('"command" has arguments in it, which no shell takes apart; put them into "args", one text each');
  }
  const run = { command, args, env, cwd: named ?? cwd, place: named ?? folder };
  return { kind: 'stdio', ...settings, ...run, ...givenBy(reading) };
}

/** Whether a command is a line for a shell, `npx -y server`: a program's name, then more. A path may have blanks. */
function holdsArguments(command: string, cwd: string): boolean {
  return /^[^\s/\\]+\s+\S/.test(command) && !existsSync(resolve(cwd, command));
}

function readCwd(written: string, reading: EntryReading): string {
  const cwd = expand(written, 'cwd', reading).replace(/^~(?=$|[/\\])/, () => homedir());
  return resolve(reading.place.folder, cwd);
}
