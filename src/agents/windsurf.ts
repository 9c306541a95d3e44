import type { Agent } from './agent.ts';

export const windsurf: Agent = {
  id: 'windsurf',
  title: 'Windsurf',
  files: [{ scope: 'user', format: 'json', path: '~/.codeium/windsurf/mcp_config.json' }],
  variables: ['env'],
  serversIn: (document) => document.mcpServers,
};
