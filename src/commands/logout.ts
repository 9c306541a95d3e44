import { userFolders } from '../proxy/user-folders.ts';
import { type Command, type ConfigArgs, configOption } from './command.ts';
import { DONE } from './exit-codes.ts';
import { remoteServer } from './remote-server.ts';

interface LogoutArgs extends ConfigArgs {
  readonly server: string;
}

export const logout: Command<LogoutArgs> = {
  command: 'logout <server>',
  describe: 'Forget the login to a remote server',
  builder: (yargs) =>
    configOption(yargs)
      .positional('server', { type: 'string', demandOption: true, describe: 'Name of the server' })
      .example('$0 logout linear', 'its tokens are revoked and deleted'),
  run: async ({ server, config: flag }, screen) => {
    const { url } = await remoteServer(server, flag);
    const { logOut, LoginStore } = await import('../upstream/http/login/login.ts');
    const wasLoggedIn = await logOut(new LoginStore(userFolders().logins), new URL(url));
    screen.say(wasLoggedIn ? `Logged out of "${server}".` : `There was no login to "${server}".`);
    return DONE;
  },
};
