import { errorText, ToolsiftError } from '../errors.ts';
import { type Command, type ConfigArgs, configOption } from './command.ts';
import { DONE, FAILED } from './exit-codes.ts';
import { OwnClient } from './own-client.ts';
import { unknownServer } from './unknown-server.ts';
import { withProxy } from './with-proxy.ts';

interface InvokeArgs extends ConfigArgs {
  readonly server: string;
  readonly tool: string;
  readonly arguments?: string | undefined;
}

export const invoke: Command<InvokeArgs> = {
  command: 'invoke <server> <tool> [arguments]',
  describe: 'Call a tool and print its result as it came',
  builder: (yargs) =>
    configOption(yargs)
      .positional('server', { type: 'string', demandOption: true, describe: 'Name of the server' })
      .positional('tool', { type: 'string', demandOption: true, describe: 'Name of the tool' })
      .positional('arguments', { type: 'string', describe: 'Its arguments, a JSON object' })
      .parserConfiguration({ 'parse-positional-numbers': false })
      .example('$0 invoke time now', 'a tool without arguments')
      .example(`$0 invoke github create_issue '{"title": "x"}'`, 'with arguments'),
  run: async (args, screen) => {
    const { server, tool, arguments: text } = args;
    if (text !== undefined) checkJson(text);
    const result = await withProxy(
      { ...args, only: (name) => name === server },
      async (proxy, { file, servers }) => {
        if (!servers.has(server)) throw unknownServer(server, file, [...servers.keys()]);
        const client = await OwnClient.connect(proxy);
        const target = JSON.stringify({ server, name: tool }).slice(0, -1);
        // As a string, the arguments are checked where an agent's are.
        return client.call(
          'invoke_tool',
          `${target}${text === undefined ? '' : `,"arguments":${JSON.stringify(text)}`}}`,
        );
      },
    );
    screen.sayJson(result.text);
    return result.isError ? FAILED : DONE;
  },
};

/** @throws ToolsiftError `usage` that says where the text stops being JSON */
function checkJson(text: string): void {
  try {
    JSON.parse(text);
  } catch (cause) {
    const message = `the arguments are no JSON: ${errorText(cause)}; write them like '{"title": "It breaks"}'`;
    throw new ToolsiftError('usage', message, { cause });
  }
}
