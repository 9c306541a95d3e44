import { isObject, type JsonObject } from '../config/text/json-value.ts';
import type { Agent } from './agent.ts';

export const continueDev: Agent = {
  id: 'continue',
  title: 'Continue',
  files: [{ scope: 'user', format: 'yaml', path: '~/.continue/config.yaml' }],
  variables: ['secrets'],
  serversIn: ({ mcpServers: servers }) => (Array.isArray(servers) ? byName(servers) : servers),
  prepare(entry) {
    if (entry.uses !== undefined) return { skipped: 'a block that is fetched from the hub of Continue' };
    const { requestOptions, ...rest } = entry;
    return isObject(requestOptions) ? { ...rest, headers: requestOptions.headers } : rest;
  },
};

/** Its list as a map: an entry has its name within. */
function byName(servers: readonly unknown[]): JsonObject {
  return Object.fromEntries(
    servers.map((entry, at) => [
      isObject(entry) && typeof entry.name === 'string' ? entry.name : `#${at + 1}`,
      entry,
    ]),
  );
}
