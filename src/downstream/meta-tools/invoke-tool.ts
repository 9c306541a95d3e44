import type { CatalogTool } from '../../catalog/catalog-tool.ts';
import { ToolsiftError } from '../../errors.ts';
import { memberOf } from '../../json/members.ts';
import type { Member } from '../../json/scan.ts';
import type { Chunk, Edit } from '../../json/splice.ts';
import type { IncomingRequest } from '../../jsonrpc/incoming-request.ts';
import { dispatchCall } from '../dispatch-call.ts';
import { untilListed, withStartNotices } from '../start-notice.ts';
import type { UpstreamView } from '../upstream-view.ts';
import { serverError } from '../wire-error.ts';
import { argumentsText } from './arguments-text.ts';
import type { MetaTool, MetaToolContext } from './meta-tool.ts';
import { stringArgument } from './read-arguments.ts';
import { unknownServer, unknownTool } from './unknown-target.ts';

const NAME = 'invoke_tool';
/** Its own members, and one that a host adds to every call. */
const KNOWN_MEMBERS = new Set(['server', 'name', 'arguments', 'wait_for_previous']);
/** How long a call waits for the list of a server that is up, before it is made without. */
const LIST_WAIT_MS = 10_000;

export const invokeTool: MetaTool = {
  name: NAME,
  define: () => ({
    name: NAME,
    title: 'Invoke a tool',
    description:
      "Call a tool that search_tools found and get its result unchanged. Pass the hit's server and name exactly as given, and arguments that fit its inputSchema.",
    inputSchema: {
      type: 'object',
      properties: {
        server: { type: 'string', description: "The hit's server" },
        name: { type: 'string', description: "The hit's name" },
        arguments: {
          type: 'object',
          additionalProperties: true,
          description: "The tool's arguments, by its inputSchema; omit if it takes none",
        },
      },
      required: ['server', 'name'],
    },
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    _meta: { 'anthropic/alwaysLoad': true, 'anthropic/maxResultSizeChars': 500_000 },
  }),
  handle: async ({ request, params, args }, context) => {
    const { frame } = request;
    const server = stringArgument(frame, args, NAME, 'server');
    const name = stringArgument(frame, args, NAME, 'name');
    const argumentsSpan = memberOf(args, 'arguments');
    if (argumentsSpan === undefined) refuseMisplaced(args);
    const text = argumentsText(frame, argumentsSpan);
    const upstream = context.upstreams.get(server);
    if (upstream === undefined) throw unknownServer(server, name, context);
    const tool = findTool(server, name, context) ?? (await findListedTool(request, upstream, name, context));
    if (!request.isOpen) return;
    await dispatchCall({
      request,
      client: context.client,
      upstream,
      tool: tool.name,
      edits: [...replaced(params, 'name', JSON.stringify(tool.name)), ...replaced(params, 'arguments', text)],
      onanswer: (answer) => context.onanswer(server, frame, answer),
    });
  },
};

/** Arguments in the wrong place would be lost, and a tool called without them may do something else. */
function refuseMisplaced(args: readonly Member[]): void {
  const misplaced = args.map(({ key }) => key).filter((key) => !KNOWN_MEMBERS.has(key));
  if (misplaced.length === 0) return;
  throw new ToolsiftError(
    'invalid_arguments',
    `invoke_tool takes the tool's arguments in "arguments"; it got ${misplaced.map((key) => `"${key}"`).join(', ')} beside it`,
  );
}

/** What a client wrote twice must not differ upstream, so every occurrence is replaced. */
function replaced(params: readonly Member[], key: string, text: Chunk): Edit[] {
  return params.filter((member) => member.key === key).map(({ value }) => ({ span: value, text }));
}

/** The tool of that name; a name that repeats its server, as in `server__name`, is understood. */
function findTool(server: string, name: string, { catalog }: MetaToolContext): CatalogTool | undefined {
  const exact = catalog.tool(server, name);
  if (exact !== undefined) return exact;
  const prefix = [`${server}__`, `${server}/`].find((start) => name.startsWith(start));
  return prefix === undefined ? undefined : catalog.tool(server, name.slice(prefix.length));
}

/**
 * Looks again when the server has been asked: it may not have been listed yet, or have announced a change. A server
 * that does not tell its tools is called all the same, as it would be without us.
 */
async function findListedTool(
  request: IncomingRequest,
  upstream: UpstreamView,
  name: string,
  context: MetaToolContext,
): Promise<{ readonly name: string }> {
  try {
    await withStartNotices(
      { request, client: context.client, server: upstream.name },
      untilListed(upstream, LIST_WAIT_MS),
    );
  } catch (error) {
    if (error instanceof ToolsiftError) throw serverError(upstream.name, error);
    throw error;
  }
  const tool = findTool(upstream.name, name, context);
  if (tool !== undefined) return tool;
  const isUnlisted = context.catalog.upstream(upstream.name) === undefined;
  if (isUnlisted && context.access.allows(upstream.name, name)) return { name };
  throw await unknownTool(upstream.name, name, context);
}
