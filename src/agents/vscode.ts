import { isObject } from '../config/text/json-value.ts';
import type { Agent } from './agent.ts';

export const vscode: Agent = {
  id: 'vscode',
  title: 'VS Code',
  files: [
    { scope: 'user', format: 'json', path: '@/Code/User/mcp.json' },
    { scope: 'project', format: 'json', path: '.vscode/mcp.json' },
  ],
  variables: ['env', 'places'],
  // Older versions kept them in the settings.
  serversIn: (document) => document.servers ?? (isObject(document.mcp) ? document.mcp.servers : undefined),
  prepare: (entry) =>
    typeof entry.url === 'string' && /^(?:unix|pipe):/.test(entry.url)
      ? { skipped: 'toolsift reaches no server through a socket of this machine' }
      : entry,
};
