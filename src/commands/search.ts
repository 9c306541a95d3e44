import type { CommandModule } from 'yargs';
import { ToolsiftError } from '../errors.ts';
import type { ToolProxy } from '../proxy.ts';
import { OwnClient } from './own-client.ts';
import { settle } from './settle.ts';
import { type ConfigArgs, withProxy } from './with-proxy.ts';

interface SearchArgs extends ConfigArgs {
  readonly query: readonly string[];
  readonly k?: number | undefined;
  readonly json: boolean;
}

const MAX_HITS = 50;
const DESCRIPTION_CHARACTERS = 100;

export const search: CommandModule<object, SearchArgs> = {
  command: 'search <query..>',
  describe: 'Search the tools of all servers, as an agent does',
  builder: (yargs) =>
    yargs
      .positional('query', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: 'A task in plain words, or a tool name',
      })
      .option('k', { type: 'number', nargs: 1, describe: 'How many tools; default: topK' })
      .option('config', { type: 'string', nargs: 1, describe: 'The toolsift.json to use' })
      .option('json', { type: 'boolean', default: false, describe: 'Print what an agent gets' })
      .parserConfiguration({ 'parse-positional-numbers': false })
      .example('$0 search "create an issue"', 'the best tools, one a line')
      .example('$0 search "create an issue" -k 3 --json', 'for scripts'),
  handler: async (args) => {
    const { k } = args;
    const query = args.query.join(' ');
    if (k !== undefined && !(Number.isInteger(k) && k >= 1 && k <= MAX_HITS)) {
      throw new ToolsiftError('usage', `-k must be a whole number from 1 to ${MAX_HITS}`);
    }
    const answer = await withProxy(args, async (proxy) => {
      await settle(proxy);
      const client = await OwnClient.connect(proxy);
      const { texts } = await client.call(
        'search_tools',
        JSON.stringify({ query, ...(k === undefined ? {} : { k }) }),
      );
      const text = texts.join('\n');
      return args.json ? text : asLines(text, proxy);
    });
    console.log(answer);
  },
};

interface SearchAnswer {
  readonly tools: readonly { readonly server: string; readonly name: string }[];
  readonly matched: number;
  readonly known: number;
  readonly unavailable?: readonly {
    readonly server: string;
    readonly state: string;
    readonly reason: string;
  }[];
  readonly note?: string;
}

function asLines(text: string, proxy: ToolProxy): string {
  const { tools, matched, known, unavailable = [], note } = JSON.parse(text) as SearchAnswer;
  return [
    ...tools.map(({ server, name }) => `${server}/${name}  ${descriptionOf(proxy, server, name)}`.trimEnd()),
    `${tools.length} of ${matched} matching tools shown, ${known} known`,
    ...(note === undefined ? [] : [note]),
    ...unavailable.map(({ server, state, reason }) => `not searched: ${server} (${state}: ${reason})`),
  ].join('\n');
}

function descriptionOf(proxy: ToolProxy, server: string, name: string): string {
  const definition = proxy.catalog.tool(server, name)?.definition ?? '{}';
  const { description } = JSON.parse(definition) as { description?: unknown };
  return typeof description === 'string'
    ? (description.trim().split('\n', 1)[0] ?? '').slice(0, DESCRIPTION_CHARACTERS)
    : '';
}
