import type { CatalogTool } from '../catalog/catalog-tool.ts';
import { cut } from '../cut.ts';
import { ToolsiftError } from '../errors.ts';
import { memberOf, membersAt } from '../json/members.ts';
import { membersIn, parsePart } from '../jsonrpc/frame.ts';
import type { IncomingRequest } from '../jsonrpc/incoming-request.ts';
import { INVALID_PARAMS } from '../mcp/error-codes.ts';
import { CALL_TOOL } from '../mcp/methods.ts';
import { MAX_ERROR_CHARACTERS } from './budgets.ts';
import { dispatchCall } from './dispatch-call.ts';
import type { AdvertisedTools } from './lists/advertised-tools.ts';
import type { MetaToolContext } from './meta-tools/meta-tool.ts';
import { META_TOOLS } from './meta-tools/meta-tools.ts';
import { untilListed, withStartNotices } from './start-notice.ts';
import { answerToolError } from './wire-error.ts';

/** How long a call by a name nobody knows waits for the lists of servers it may be of. */
const LIST_WAIT_MS = 10_000;
const META_TOOLS_BY_NAME = new Map(META_TOOLS.map((tool) => [tool.name, tool]));

/** Answers `tools/call`: a meta-tool, a pinned tool, or any known tool as `server__name`. */
export async function callTool(
  request: IncomingRequest,
  advertised: AdvertisedTools,
  context: MetaToolContext,
): Promise<void> {
  const { frame } = request;
  const params = membersIn(frame, 'params');
  const name = parsePart(frame, memberOf(params, 'name'));
  if (typeof name !== 'string') {
    request.error(INVALID_PARAMS, `${CALL_TOOL} needs "name", the name of a tool, as a string`);
    return;
  }
  const metaTool = META_TOOLS_BY_NAME.get(name);
  if (metaTool !== undefined) {
    try {
      await metaTool.handle(
        { request, params, args: membersAt(frame.bytes, memberOf(params, 'arguments')) },
        context,
      );
    } catch (error) {
      if (!(error instanceof ToolsiftError)) throw error;
      answerToolError(request, error);
    }
    return;
  }
  const tool = advertised.find(name) ?? (await findOnceListed(request, name, { advertised, context }));
  if (!request.isOpen) return;
  const upstream = tool === undefined ? undefined : context.upstreams.get(tool.server);
  if (tool === undefined || upstream === undefined) {
    const shown = cut(name, MAX_ERROR_CHARACTERS);
    request.error(INVALID_PARAMS, `Unknown tool: ${shown} (search_tools finds the tools behind toolsift)`);
    return;
  }
  await dispatchCall({
    request,
    client: context.client,
    upstream,
    tool: tool.name,
    edits: params
      .filter(({ key }) => key === 'name')
      .map(({ value }) => ({ span: value, text: JSON.stringify(tool.name) })),
    onanswer: (answer) => context.onanswer(tool.server, frame, answer),
  });
}

/** A call may come before the server it is meant for has been listed: then that is waited for. */
async function findOnceListed(
  request: IncomingRequest,
  name: string,
  { advertised, context }: { advertised: AdvertisedTools; context: MetaToolContext },
): Promise<CatalogTool | undefined> {
  const owners = advertised
    .possibleOwners(name)
    .map((server) => context.upstreams.get(server))
    .filter((upstream) => upstream !== undefined);
  if (owners.length === 0) return undefined;
  const server = owners.map((upstream) => upstream.name).join('", "');
  const starting = Promise.allSettled(owners.map((upstream) => untilListed(upstream, LIST_WAIT_MS)));
  await withStartNotices({ request, client: context.client, server }, starting);
  return advertised.find(name);
}
