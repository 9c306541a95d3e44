import { configuredNames, removeServerEntry } from '../config/edit/edit-config.ts';
import { findConfig } from '../config/find-config.ts';
import { type Command, type ConfigArgs, configOption } from './command.ts';
import { DONE } from './exit-codes.ts';
import { keepingTrust } from './trust.ts';
import { unknownServer } from './unknown-server.ts';

interface RemoveServerArgs extends ConfigArgs {
  readonly name: string;
}

/** `toolsift remove-server`: takes one entry out of toolsift.json. */
export const removeServer: Command<RemoveServerArgs> = {
  command: 'remove-server <name>',
  describe: 'Remove a server from toolsift.json',
  builder: (yargs) =>
    configOption(yargs)
      .positional('name', { type: 'string', demandOption: true, describe: 'Name of the server' })
      .example('$0 remove-server time', 'its entry goes, the rest of the file stays as it is'),
  run: async ({ name, config }, screen) => {
    const found = await findConfig({ flag: config });
    const { file } = found;
    if (!(await keepingTrust(found, () => removeServerEntry(file, name))))
      throw unknownServer(name, file, configuredNames(file));
    screen.say(`Removed "${name}" from ${file}.`);
    return DONE;
  },
};
