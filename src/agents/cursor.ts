import { isBareMap } from '../config/entry/adopt-file.ts';
import type { Agent } from './agent.ts';

export const cursor: Agent = {
  id: 'cursor',
  title: 'Cursor',
  files: [
    { scope: 'user', format: 'json', path: '~/.cursor/mcp.json' },
    { scope: 'project', format: 'json', path: '.cursor/mcp.json' },
  ],
  variables: ['env', 'places'],
  serversIn: (document) => document.mcpServers ?? (isBareMap(document) ? document : undefined),
};
