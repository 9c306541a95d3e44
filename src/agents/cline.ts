import { type Agent, entryWith } from './agent.ts';

const TYPES: readonly unknown[] = ['stdio', 'sse', 'streamableHttp'];

export const cline: Agent = {
  id: 'cline',
  title: 'Cline',
  files: [
    {
      scope: 'user',
      format: 'json',
      path: '@/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    },
  ],
  variables: [],
  timeoutUnit: 'seconds',
  serversIn: (document) => document.mcpServers,
  refuses: (servers) => {
    const bad = entryWith(servers, ({ type }) => type !== undefined && !TYPES.includes(type));
    return bad === undefined ? undefined : `"${bad}" has a type that is none of ${TYPES.join(', ')}`;
  },
  prepare(entry) {
    if (entry.url === undefined) return entry;
    // Without a type, and with the one older versions wrote, it speaks SSE.
    const { transportType: _, ...rest } = entry;
    return { ...rest, type: entry.type ?? 'sse' };
  },
};
