import type { HttpServerConfig, StdioServerConfig } from '../../src/config/config.ts';
import { fixture } from '../helpers/fixture.ts';

/** How servers are run where nothing is said. */
export const SETTINGS = {
  start: 'on-demand',
  refreshAfterMs: 24 * 3_600_000,
  maxListBytes: 1_000_000,
  maxListItems: 1000,
  isShared: false,
  isPerSession: false,
  keepsLog: false,
} as const;

/** What a loaded configuration says of a server that is a process. */
export function stdioConfig(more: Partial<StdioServerConfig> = {}): StdioServerConfig {
  const entry = {
    kind: 'stdio',
    name: 'x',
    command: process.execPath,
    args: [],
    env: {},
    cwd: process.cwd(),
    place: process.cwd(),
  } as const;
  return { ...SETTINGS, ...entry, ...more };
}

/** The same for a fixture server, by the name of its file. */
export function fixtureConfig(name: string, more: Partial<StdioServerConfig> = {}): StdioServerConfig {
  const { command, args = [] } = fixture(name);
  return stdioConfig({ name, command, args, ...more });
}

export function httpConfig(more: Partial<HttpServerConfig> = {}): HttpServerConfig {
  return {
    ...SETTINGS,
    kind: 'http',
    name: 'x',
    transport: 'http',
    url: 'https://example.com/mcp',
    headers: {},
    ...more,
  };
}
