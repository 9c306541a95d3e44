import type { Agent } from './agent.ts';

export const claudeDesktop: Agent = {
  id: 'claude-desktop',
  title: 'Claude Desktop',
  files: [{ scope: 'user', format: 'json', path: '@/Claude/claude_desktop_config.json' }],
  variables: [],
  serversIn: (document) => document.mcpServers,
  prepare: (entry) =>
    entry.command === undefined
      ? { skipped: 'it has no "command", and remote servers are set up elsewhere' }
      : entry,
};
