import type { CommandModule } from 'yargs';
import { loadConfig } from '../config/load-config.ts';
import { requestRestart } from '../proxy/restart-requests.ts';
import { userFolders } from '../proxy/user-folders.ts';
import { unknownServer } from './unknown-server.ts';
import type { ConfigArgs } from './with-proxy.ts';

interface RestartArgs extends ConfigArgs {
  readonly server: string;
}

export const restart: CommandModule<object, RestartArgs> = {
  command: 'restart <server>',
  describe: 'Have every running toolsift restart a server',
  builder: (yargs) =>
    yargs
      .positional('server', { type: 'string', demandOption: true, describe: 'Name of the server' })
      .option('config', { type: 'string', nargs: 1, describe: 'The toolsift.json to use' })
      .example('$0 restart github', 'after it has given up, or to make it read its own settings'),
  handler: async ({ server, config: flag }) => {
    const { file, servers } = await loadConfig({ flag });
    if (!servers.has(server)) throw unknownServer(server, file, [...servers.keys()]);
    requestRestart(userFolders().data, server);
    console.log(`Asked every running toolsift to restart "${server}"; it starts again when it is next used.`);
  },
};
