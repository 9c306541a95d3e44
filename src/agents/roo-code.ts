import type { Agent } from './agent.ts';

export const rooCode: Agent = {
  id: 'roo-code',
  title: 'Roo Code',
  files: [
    {
      scope: 'user',
      format: 'json',
      path: '@/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
    },
    { scope: 'project', format: 'json', path: '.roo/mcp.json' },
  ],
  variables: ['env', 'places'],
  timeoutUnit: 'seconds',
  serversIn: (document) => document.mcpServers,
};
