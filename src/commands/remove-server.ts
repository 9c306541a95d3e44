import type { CommandModule } from 'yargs';
import { configuredNames, removeServerEntry } from '../config/edit-config.ts';
import { findConfig } from '../config/find-config.ts';
import { nearestFirst } from '../config/nearest.ts';
import { ToolsiftError } from '../errors.ts';

const MOST_NAMES = 20;

interface RemoveServerArgs {
  name: string;
  config?: string | undefined;
}

/** `toolsift remove-server`: takes one entry out of toolsift.json. */
export function removeServer(
  print: (line: string) => void = console.log,
): CommandModule<object, RemoveServerArgs> {
  return {
    command: 'remove-server <name>',
    describe: 'Remove a server from toolsift.json',
    builder: (yargs) =>
      yargs
        .positional('name', { type: 'string', demandOption: true, describe: 'Name of the server' })
        .option('config', { type: 'string', nargs: 1, describe: 'The toolsift.json to edit' })
        .example('$0 remove-server time', 'its entry goes, the rest of the file stays as it is'),
    handler: async ({ name, config }) => {
      const file = await findConfig({ flag: config });
      if (!(await removeServerEntry(file, name))) throw unknownServer(name, configuredNames(file), file);
      print(`Removed "${name}" from ${file}.`);
    },
  };
}

function unknownServer(name: string, present: readonly string[], file: string): ToolsiftError {
  const names = nearestFirst(name, present).slice(0, MOST_NAMES);
  const more = present.length > names.length ? `, and ${present.length - names.length} more` : '';
  const list =
    names.length === 0 ? 'it has no servers' : `it has ${names.map((each) => `"${each}"`).join(', ')}${more}`;
  return new ToolsiftError('unknown_server', `no server "${name}" in ${file}; ${list}`, {
    facts: { server: name },
  });
}
