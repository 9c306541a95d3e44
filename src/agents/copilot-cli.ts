import type { Agent } from './agent.ts';

export const copilotCli: Agent = {
  id: 'copilot-cli',
  title: 'GitHub Copilot CLI',
  files: [
    { scope: 'user', format: 'json', path: '~/.copilot/mcp-config.json' },
    { scope: 'project', format: 'json', path: '.mcp.json' },
  ],
  variables: ['braces'],
  timeoutUnit: 'milliseconds',
  serversIn: (document) => document.mcpServers,
};
