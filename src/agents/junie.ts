import type { Agent } from './agent.ts';

export const junie: Agent = {
  id: 'junie',
  title: 'Junie',
  files: [
    { scope: 'user', format: 'json', path: '~/.junie/mcp/mcp.json' },
    { scope: 'project', format: 'json', path: '.junie/mcp/mcp.json' },
  ],
  variables: [],
  serversIn: (document) => document.mcpServers,
};
