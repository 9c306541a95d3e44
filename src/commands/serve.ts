import { type Command, type ConfigArgs, configOption } from './command.ts';

export interface ServeArgs extends ConfigArgs {
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly path?: string | undefined;
}

export const serve: Command<ServeArgs> = {
  command: 'serve',
  describe: 'Serve MCP over HTTP, to as many clients as come',
  builder: (yargs) =>
    configOption(yargs)
      .option('port', { type: 'number', nargs: 1, describe: 'Port to listen on; 0 takes a free one [3333]' })
      .option('host', { type: 'string', nargs: 1, describe: 'Address to listen on [127.0.0.1]' })
      .option('path', { type: 'string', nargs: 1, describe: 'Where MCP is spoken [/mcp]' })
      .example('$0 serve', 'at http://127.0.0.1:3333/mcp, for this machine')
      .example('$0 serve --host 0.0.0.0', 'for others, who come in by what "auth" says'),
  run: async (args) => {
    const { runServe } = await import('./run-serve.ts');
    return runServe(args);
  },
};
