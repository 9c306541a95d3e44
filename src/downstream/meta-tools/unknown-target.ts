import { ToolsiftError } from '../../errors.ts';
import type { MetaToolContext } from './meta-tool.ts';

const SUGGESTIONS = 3;

/** The answer to a server name that is not configured. */
export function unknownServer(server: string, tool: string, context: MetaToolContext): ToolsiftError {
  const owners = [...context.upstreams.keys()].filter(
    (name) => context.catalog.tool(name, tool) !== undefined,
  );
  const hint =
    owners.length > 0
      ? `the tool "${tool}" is on: ${owners.slice(0, SUGGESTIONS).join(', ')}`
      : 'list_servers names the servers there are';
  return new ToolsiftError('unknown_server', `there is no server "${server}"; ${hint}`, {
    facts: { server, tool },
  });
}

/** The answer to a tool its server does not have. */
export async function unknownTool(
  server: string,
  tool: string,
  context: MetaToolContext,
): Promise<ToolsiftError> {
  const { nearestNames } = await import('../../search/search.ts');
  const tools = context.catalog.upstream(server)?.tools.values() ?? [];
  const nearest = nearestNames(tool, tools, SUGGESTIONS).map(({ name }) => name);
  const hint = nearest.length > 0 ? `nearest: ${nearest.join(', ')}` : 'search_tools finds what there is';
  return new ToolsiftError('unknown_tool', `server "${server}" has no tool "${tool}"; ${hint}`, {
    facts: { server, tool },
  });
}
