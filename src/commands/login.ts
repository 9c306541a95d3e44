import { createInterface } from 'node:readline';
import { userFolders } from '../proxy/user-folders.ts';
import { type Command, type ConfigArgs, configOption } from './command.ts';
import { DONE } from './exit-codes.ts';
import { remoteServer } from './remote-server.ts';

/** People find their password within this time, or begin again. */
const TIMEOUT_MS = 10 * 60_000;

interface LoginArgs extends ConfigArgs {
  readonly server: string;
  readonly scope?: string | undefined;
  readonly browser: boolean;
}

export const login: Command<LoginArgs> = {
  command: 'login <server>',
  describe: 'Log in to a remote server in your browser',
  builder: (yargs) =>
    configOption(yargs)
      .positional('server', { type: 'string', demandOption: true, describe: 'Name of the server' })
      .option('scope', { type: 'string', nargs: 1, describe: 'Scopes to ask for beside those it names' })
      .option('browser', { type: 'boolean', default: true, describe: 'Open the browser by itself' })
      .example('$0 login linear', 'opens the browser, and prints the address too')
      .example('$0 login linear --no-browser', 'over ssh: open the address yourself, paste where it led you'),
  run: async ({ server, scope, browser, config: flag }, screen) => {
    const config = await remoteServer(server, flag);
    const { logIn, LoginStore, openBrowser, targetOf } = await import('../upstream/http/login/login.ts');
    const store = new LoginStore(userFolders().logins);
    const lines = createInterface({ input: process.stdin, terminal: false });
    try {
      const { issuer } = await logIn({
        target: targetOf(config, store),
        store,
        settings: config.login ?? {},
        scope,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        onaddress: (address) => {
          screen.say(`To log in to "${server}", open this address in a browser:\n\n  ${address.href}\n`);
          screen.say('If that browser runs on another machine, paste here the address it is sent back to.');
          if (browser) openBrowser(address);
        },
        onpaste: (take) => {
          lines.on('line', (line) => {
            if (line.trim() !== '' && !take(line)) screen.say('That is not the address it was sent back to.');
          });
        },
      });
      screen.say(`Logged in to "${server}" at ${issuer}. Every running toolsift picks it up by itself.`);
    } finally {
      lines.close();
      process.stdin.destroy();
    }
    return DONE;
  },
};
