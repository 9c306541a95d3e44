import { isBareMap } from '../config/entry/adopt-file.ts';
import { isObject } from '../config/text/json-value.ts';
import type { Agent } from './agent.ts';

export const claudeCode: Agent = {
  id: 'claude-code',
  title: 'Claude Code',
  files: [
    { scope: 'user', format: 'json', path: '~/.claude.json' },
    { scope: 'project', format: 'json', path: '.mcp.json' },
  ],
  variables: ['braces', 'defaults'],
  strictness: { comments: true, trailingCommas: true },
  // The file of a plugin has them at its top.
  serversIn: (document) => document.mcpServers ?? (isBareMap(document) ? document : undefined),
  refuses: (servers) => (Array.isArray(servers) ? 'the servers are a list, and it wants a map' : undefined),
  prepare({ cwd, disabled, enabled, ...entry }, { name }) {
    if (name === 'workspace') return { skipped: 'the name is reserved' };
    if (entry.type === 'ws') return { skipped: 'a web socket is no transport of MCP' };
    if (entry.url !== undefined && entry.type === undefined && entry.command === undefined)
      return { skipped: 'it has "url" but no "type"' };
    if (entry.url === undefined && entry.command === undefined)
      return { skipped: 'it has neither "command" nor "url"' };
    if (Array.isArray(entry.command)) return { skipped: '"command" is a list' };
    if (entry.args !== undefined && !Array.isArray(entry.args)) return { skipped: '"args" is no list' };
    if (entry.env === null || entry.type === null) return { skipped: 'members are null' };
    if (isObject(entry.env) && !Object.values(entry.env).every((value) => typeof value === 'string'))
      return { skipped: '"env" holds something else than texts' };
    return entry;
  },
};
