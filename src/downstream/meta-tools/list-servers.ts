import { cut } from '../../cut.ts';
import { MAX_REASON_CHARACTERS, MAX_REASONS_CHARACTERS, MIN_REASON_CHARACTERS } from '../budgets.ts';
import { fixFor } from '../state-fix.ts';
import type { MetaTool, MetaToolContext } from './meta-tool.ts';

export const listServers: MetaTool = {
  name: 'list_servers',
  define: () => ({
    name: 'list_servers',
    title: 'List servers',
    description:
      'Which MCP servers are behind toolsift, how many tools each has, what state each is in and why. To find a tool, use search_tools.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true, openWorldHint: false },
    _meta: { 'anthropic/alwaysLoad': true },
  }),
  handle: ({ request }, context) => {
    request.result(JSON.stringify({ content: [{ type: 'text', text: JSON.stringify(describe(context)) }] }));
  },
};

function describe(context: MetaToolContext): object {
  const { file, foundBy, notice, waiting } = context.settings().configuration;
  const share = Math.floor(MAX_REASONS_CHARACTERS / Math.max(context.upstreams.size, 1));
  const maxReason = Math.max(MIN_REASON_CHARACTERS, Math.min(MAX_REASON_CHARACTERS, share));
  const servers = [...context.upstreams.values()].map(({ name, status }) => {
    const tools = context.catalog.upstream(name)?.tools.size ?? 0;
    const fix = notice === undefined ? fixFor({ name, status, hasTools: tools > 0 }) : undefined;
    return {
      name,
      tools,
      state: status.state,
      ...(status.reason === undefined ? {} : { reason: cut(status.reason, maxReason) }),
      ...(fix === undefined ? {} : { fix }),
      since: new Date(status.since).toISOString(),
    };
  });
  const told = notice ?? waiting;
  const { unmatched, ambiguous } = context.pinProblems();
  return {
    ...(told === undefined || context.isOneOfMany ? {} : { notice: told }),
    servers,
    ...(context.isOneOfMany
      ? {}
      : { configuration: { file, ...(foundBy === undefined ? {} : { foundBy }) } }),
    ...(unmatched.length === 0 ? {} : { pinsWithoutTool: unmatched }),
    ...(ambiguous.length === 0 ? {} : { pinsOfSeveralServers: ambiguous }),
  };
}
