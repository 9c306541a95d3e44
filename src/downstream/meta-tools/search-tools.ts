import { ToolsiftError } from '../../errors.ts';
import type { Detail } from '../../search/answer/answer-input.ts';
import type { ToolIndex } from '../../search/tool-index.ts';
import { unsearched } from '../unsearched.ts';
import type { MetaTool, MetaToolContext } from './meta-tool.ts';
import { argumentOf, kindOf, stringArgument } from './read-arguments.ts';

const NAME = 'search_tools';
const MAX_HITS = 50;
const NEAREST = 3;

interface SearchRequest {
  readonly query: string;
  readonly limit: number | undefined;
  readonly server: readonly string[] | undefined;
  readonly detail: Detail;
}

export const searchTools: MetaTool = {
  name: NAME,
  define: (servers) => ({
    name: NAME,
    title: 'Search tools',
    description: `Find tools on ${servers}. Search before you say that something cannot be done. Describe the task in plain words, or give an exact tool name. Returns the best tools with server, name, description and inputSchema; call one with invoke_tool.`,
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          description: 'The task, e.g. "create a GitHub issue". Empty with server: names all its tools',
        },
        k: { type: 'integer', description: `How many tools, 1-${MAX_HITS}` },
        server: { type: 'string', description: 'Only this server, or several separated by commas' },
        detail: { type: 'string', enum: ['full', 'brief'], description: 'brief: signatures, no schemas' },
      },
      required: ['query'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    _meta: { 'anthropic/alwaysLoad': true },
  }),
  handle: async ({ request, args }, context) => {
    const { frame } = request;
    const index = await context.indexed();
    const text = await answerSearch(
      {
        query: stringArgument(frame, args, NAME, 'query'),
        limit: readLimit(argumentOf(frame, args, 'k')),
        server: readServers(argumentOf(frame, args, 'server'), context),
        detail: readDetail(argumentOf(frame, args, 'detail')),
      },
      { ...context, index },
    );
    request.result(JSON.stringify({ content: [{ type: 'text', text }] }));
  },
};

/** The text of a search answer: one line of JSON. */
async function answerSearch(
  { query, limit, server, detail }: SearchRequest,
  context: Pick<MetaToolContext, 'catalog' | 'upstreams' | 'settings'> & { readonly index: ToolIndex },
): Promise<string> {
  const { writeSearchAnswer } = await import('../../search/search.ts');
  const { catalog, index, upstreams, settings } = context;
  const { notice } = settings().configuration;
  const isOrientation = query.trim() === '' && server !== undefined;
  const usual = isOrientation ? Number.MAX_SAFE_INTEGER : settings().topK;
  const answer = index.query(query, { limit: limit ?? usual, server });
  return writeSearchAnswer({
    query,
    ...answer,
    nearest: answer.hits.length === 0 ? index.nearest(query, { limit: NEAREST, server }) : [],
    definitionOf: (of, name) => catalog.tool(of, name)?.definition,
    unavailable: unsearched({ upstreams, catalog, notice }).filter(
      (entry) => server?.includes(entry.server) ?? true,
    ),
    detail: isOrientation ? 'names' : detail,
    maxTokens: settings().maxAnswerTokens,
    servers: [...upstreams.keys()],
  });
}

function readLimit(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= 1)
    return Math.min(number, MAX_HITS);
  throw new ToolsiftError('invalid_arguments', `"k" must be a whole number from 1 to ${MAX_HITS}`);
}

function readServers(value: unknown, { upstreams }: MetaToolContext): readonly string[] | undefined {
  if (value === undefined || value === '') return undefined;
  const names = typeof value === 'string' ? splitNames(value, upstreams) : value;
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) {
    throw new ToolsiftError('invalid_arguments', `"server" must be a server's name, not ${kindOf(value)}`);
  }
  const unknown = names.find((name) => !upstreams.has(name));
  if (unknown === undefined) return names;
  throw new ToolsiftError(
    'unknown_server',
    `there is no server "${unknown}"; there are: ${[...upstreams.keys()].join(', ')}`,
  );
}

function splitNames(value: string, upstreams: MetaToolContext['upstreams']): string[] {
  return upstreams.has(value) ? [value] : value.split(',').map((name) => name.trim());
}

function readDetail(value: unknown): Detail {
  if (value === undefined || value === 'full' || value === 'brief') return value ?? 'full';
  throw new ToolsiftError('invalid_arguments', '"detail" must be "full" or "brief"');
}
