import { loadConfig } from '../config/load-config.ts';
import { requestRestart } from '../proxy/restart-requests.ts';
import { userFolders } from '../proxy/user-folders.ts';
import { type Command, type ConfigArgs, configOption } from './command.ts';
import { DONE } from './exit-codes.ts';
import { unknownServer } from './unknown-server.ts';

interface RestartArgs extends ConfigArgs {
  readonly server: string;
}

export const restart: Command<RestartArgs> = {
  command: 'restart <server>',
  describe: 'Have every running toolsift restart a server',
  builder: (yargs) =>
    configOption(yargs)
      .positional('server', { type: 'string', demandOption: true, describe: 'Name of the server' })
      .example('$0 restart github', 'after it has given up, or to make it read its own settings'),
  run: async ({ server, config: flag }, screen) => {
    const { file, servers } = await loadConfig({ flag });
    if (!servers.has(server)) throw unknownServer(server, file, [...servers.keys()]);
    requestRestart(userFolders().data, server);
    screen.say(`Asked every running toolsift to restart "${server}"; it starts again when it is next used.`);
    return DONE;
  },
};
