import { isObject } from '../config/text/json-value.ts';
import type { Agent } from './agent.ts';

export const geminiCli: Agent = {
  id: 'gemini-cli',
  title: 'Gemini CLI',
  files: [
    { scope: 'user', format: 'json', path: '~/.gemini/settings.json' },
    { scope: 'project', format: 'json', path: '.gemini/settings.json' },
  ],
  variables: ['braces', 'defaults', 'dollar'],
  timeoutUnit: 'milliseconds',
  strictness: { trailingCommas: true },
  serversIn: (document) => document.mcpServers,
  // Two lists beside the servers say which of them count.
  prepare(entry, { name, document }) {
    const { allowed, excluded } = isObject(document.mcp) ? document.mcp : {};
    const isOff =
      (Array.isArray(allowed) && !allowed.includes(name)) ||
      (Array.isArray(excluded) && excluded.includes(name));
    return isOff ? { ...entry, disabled: true } : entry;
  },
};
