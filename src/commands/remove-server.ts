import type { CommandModule } from 'yargs';
import { configuredNames, removeServerEntry } from '../config/edit/edit-config.ts';
import { findConfig } from '../config/find-config.ts';
import { unknownServer } from './unknown-server.ts';

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
      if (!(await removeServerEntry(file, name))) throw unknownServer(name, file, configuredNames(file));
      print(`Removed "${name}" from ${file}.`);
    },
  };
}
