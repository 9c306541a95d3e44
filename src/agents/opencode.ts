import { isObject } from '../config/text/json-value.ts';
import { type Agent, entryWith } from './agent.ts';

const TYPES: readonly unknown[] = ['local', 'remote'];

export const opencode: Agent = {
  id: 'opencode',
  title: 'opencode',
  files: [
    { scope: 'user', format: 'json', path: '~/.config/opencode/opencode.json' },
    { scope: 'user', format: 'json', path: '~/.config/opencode/opencode.jsonc' },
    { scope: 'project', format: 'json', path: 'opencode.json' },
    { scope: 'project', format: 'json', path: 'opencode.jsonc' },
  ],
  variables: ['bare-env'],
  serversIn: ({ mcp }) =>
    isObject(mcp) && isObject(mcp.servers) && !('type' in mcp.servers) ? mcp.servers : mcp,
  refuses: (servers) => {
    const bad = entryWith(servers, ({ type }) => type !== undefined && !TYPES.includes(type));
    return bad === undefined ? undefined : `"${bad}" has a type that is none of ${TYPES.join(', ')}`;
  },
  prepare({ timeout: _, ...entry }) {
    if (entry.type === undefined)
      return {
        skipped:
          'command' in entry || 'url' in entry
            ? 'it has no "type"'
            : 'it only switches a server of another file',
      };
    if (!TYPES.includes(entry.type)) return entry;
    // Under this name it sets no variable there.
    const { env: __, ...rest } = entry;
    return rest;
  },
};
