import type { HttpServerConfig } from '../config/config.ts';
import { loadConfig } from '../config/load-config.ts';
import { ToolsiftError } from '../errors.ts';
import { unknownServer } from './unknown-server.ts';

/** @throws ToolsiftError when there is no such server, or it is none that people log in to */
export async function remoteServer(name: string, flag: string | undefined): Promise<HttpServerConfig> {
  const { file, servers } = await loadConfig({ flag });
  const server = servers.get(name);
  if (server === undefined) throw unknownServer(name, file, [...servers.keys()]);
  if (server.kind === 'http') return server;
  if (server.kind === 'faulty') {
    throw new ToolsiftError('server_config_invalid', `server "${name}": ${server.reason}`);
  }
  throw new ToolsiftError(
    'usage',
    `server "${name}" has no "url" in use: only remote servers are logged in to`,
  );
}
