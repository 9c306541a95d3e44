import { errorText } from '../errors.ts';
import { type Command, type ConfigArgs, configOption } from './command.ts';
import { DONE, FAILED } from './exit-codes.ts';
import { showProgress } from './progress.ts';
import { unknownServer } from './unknown-server.ts';
import { withProxy } from './with-proxy.ts';

interface RefreshArgs extends ConfigArgs {
  readonly server?: string | undefined;
}

export const refresh: Command<RefreshArgs> = {
  command: 'refresh [server]',
  describe: 'Start a server, or each in turn, and read its tools anew',
  builder: (yargs) =>
    configOption(yargs)
      .positional('server', { type: 'string', describe: 'Name of the server; default: all' })
      .example('$0 refresh', 'all servers, one after the other')
      .example('$0 refresh github', 'one of them'),
  run: async (args, screen) => {
    const failed = await withProxy(args, async (proxy, { file }) => {
      const names = [...proxy.own.upstreams.keys()];
      if (args.server !== undefined && !names.includes(args.server)) {
        throw unknownServer(args.server, file, names);
      }
      const wanted =
        args.server === undefined
          ? names.filter((name) => isEnabled(proxy.own.upstreams.get(name)))
          : [args.server];
      const failures: string[] = [];
      for (const name of wanted) {
        const progress = showProgress(() => `reading the tools of ${name}`);
        const outcome = await proxy.refresh(name).then(
          (tools) => `${tools} tools`,
          (error: unknown) => {
            failures.push(name);
            return `failed: ${errorText(error)}`;
          },
        );
        progress.end();
        screen.say(`${name}: ${outcome}`);
      }
      return failures;
    });
    return failed.length > 0 ? FAILED : DONE;
  },
};

function isEnabled(upstream: { readonly status: { readonly state: string } } | undefined): boolean {
  return upstream?.status.state !== 'disabled';
}
