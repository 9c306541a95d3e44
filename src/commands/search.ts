import type { Catalog } from '../catalog/catalog.ts';
import { cut } from '../cut.ts';
import { ToolsiftError } from '../errors.ts';
import { harmless, oneLine } from '../foreign-text.ts';
import type { ToolIndex } from '../search/tool-index.ts';
import { type Command, type ConfigArgs, configOption } from './command.ts';
import { DONE } from './exit-codes.ts';
import { OwnClient } from './own-client.ts';
import { startUnknown } from './start-unknown.ts';
import { withProxy } from './with-proxy.ts';

interface SearchArgs extends ConfigArgs {
  readonly query: readonly string[];
  readonly k?: number | undefined;
  readonly server?: readonly string[] | undefined;
  readonly json: boolean;
  readonly explain: boolean;
}

const MAX_HITS = 50;
const DESCRIPTION_CHARACTERS = 100;

export const search: Command<SearchArgs> = {
  command: 'search <query..>',
  describe: 'Search the tools of all servers, as an agent does',
  builder: (yargs) =>
    configOption(yargs)
      .positional('query', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: 'A task in plain words, or a tool name',
      })
      .option('k', { type: 'number', nargs: 1, describe: 'How many tools; default: topK' })
      .option('server', {
        type: 'string',
        array: true,
        nargs: 1,
        describe: 'Only this server; may be repeated. With an empty query: all its tools by name',
      })
      .option('json', { type: 'boolean', default: false, describe: 'Print what an agent gets' })
      .option('explain', { type: 'boolean', default: false, describe: 'Show why each tool is where it is' })
      .parserConfiguration({ 'parse-positional-numbers': false })
      .example('$0 search "create an issue"', 'the best tools, one a line')
      .example('$0 search "create an issue" -k 3 --json', 'for scripts')
      .example('$0 search "" --server github', 'what a server has'),
  run: async (args, screen) => {
    const { k, server } = args;
    const query = args.query.join(' ');
    if (k !== undefined && !(Number.isInteger(k) && k >= 1 && k <= MAX_HITS)) {
      throw new ToolsiftError('usage', `-k must be a whole number from 1 to ${MAX_HITS}`);
    }
    if (args.explain && args.json) {
      throw new ToolsiftError(
        'usage',
        '--explain is for people; --json prints what an agent gets: choose one',
      );
    }
    const answer = await withProxy(args, async (proxy) => {
      await startUnknown(proxy);
      const client = await OwnClient.connect(proxy);
      const { texts } = await client.call(
        'search_tools',
        // Left out of the text where undefined.
        JSON.stringify({ query, k, server }),
      );
      const text = texts.join('\n');
      if (args.json) return text;
      const index = args.explain ? await proxy.own.indexed() : undefined;
      return asLines(text, (server, name) =>
        detailOf(proxy.own.catalog, { server, name, query, among: args.server, index }),
      );
    });
    if (args.json) screen.sayJson(answer);
    else screen.say(answer);
    return DONE;
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

function asLines(text: string, detail: (server: string, name: string) => string): string {
  const { tools, matched, known, unavailable = [], note } = JSON.parse(text) as SearchAnswer;
  return [
    ...tools.map(({ server, name }) => `${oneLine(`${server}/${name}`)}  ${detail(server, name)}`.trimEnd()),
    `${tools.length} of ${matched} matching tools shown, ${known} known`,
    ...(note === undefined ? [] : [note]),
    ...unavailable.map(({ server, state, reason }) =>
      oneLine(`not searched: ${server} (${state}: ${reason})`),
    ),
  ].join('\n');
}

interface DetailOptions {
  readonly server: string;
  readonly name: string;
  readonly query: string;
  /** The servers that were searched; undefined: all. */
  readonly among: readonly string[] | undefined;
  /** To explain the hits with. */
  readonly index: ToolIndex | undefined;
}

function detailOf(catalog: Catalog, of: DetailOptions): string {
  const definition = catalog.tool(of.server, of.name)?.definition ?? '{}';
  const { description } = JSON.parse(definition) as { description?: unknown };
  const [line = ''] = typeof description === 'string' ? harmless(description).trim().split('\n', 1) : [];
  const short = cut(line, DESCRIPTION_CHARACTERS);
  return of.index === undefined ? short : `${short}${explanationOf(of.index, of)}`;
}

/** The parts of a hit's score, and the words that earned the first. */
function explanationOf(index: ToolIndex, of: DetailOptions): string {
  const hit = index
    .explain(of.query, { limit: MAX_HITS, server: of.among })
    .find(({ server, name }) => server === of.server && name === of.name);
  if (hit === undefined) return '';
  const parts = [
    ...(hit.isNamed ? ['named in the query'] : []),
    `lexical ${hit.lexical.toFixed(2)}`,
    ...(hit.learned === undefined ? [] : [`learned ${hit.learned.toFixed(3)}`]),
  ];
  const words = hit.words.map(
    ({ word, term, kind, fields, score }) =>
      `    ${word}${word === term ? '' : ` → ${term}`} (${kind}) in ${fields.join(', ')}: ${score.toFixed(2)}`,
  );
  return `\n  ${parts.join(', ')}${words.map((line) => `\n${line}`).join('')}`;
}
