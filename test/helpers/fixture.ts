import { fileURLToPath } from 'node:url';

/** A server's entry in `toolsift.json`. */
export interface ServerEntry {
  command: string;
  args?: string[];
  env?: Record<string, string>;
  cwd?: string;
  timeoutSeconds?: number;
  maxTimeoutSeconds?: number;
  toolTimeouts?: Record<string, number>;
  disabled?: boolean;
}

/** The entry of a server that is reached over HTTP. */
export interface RemoteEntry {
  url: string;
  headers?: Record<string, string>;
  env?: Record<string, string>;
}

/** The entry of a fixture server, by the name of its file. */
export function fixture(name: string, args: string[] = [], more: Partial<ServerEntry> = {}): ServerEntry {
  const file = fileURLToPath(new URL(`../fixtures/servers/${name}.mjs`, import.meta.url));
  return { command: process.execPath, args: [file, ...args], ...more };
}
