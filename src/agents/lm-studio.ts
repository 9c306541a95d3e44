import type { Agent } from './agent.ts';

export const lmStudio: Agent = {
  id: 'lm-studio',
  title: 'LM Studio',
  files: [{ scope: 'user', format: 'json', path: '~/.lmstudio/mcp.json' }],
  variables: [],
  serversIn: (document) => document.mcpServers,
};
