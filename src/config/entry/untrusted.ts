import { DEFAULT_RUN_SETTINGS } from '../schema/run-keys.ts';
import type { ServerConfig } from './server-config.ts';

export interface UntrustedServers {
  readonly servers: ReadonlyMap<string, ServerConfig>;
  /** What to tell people and agents. */
  readonly notice: string;
}

/** The servers of a file nobody has looked at, which may run any program: none of them is one that can be started. */
export function untrusted(file: string, servers: ReadonlyMap<string, ServerConfig>): UntrustedServers {
  const reason = untrustedReason(file);
  const blocked = [...servers].map(([name, config]): [string, ServerConfig] => [
    name,
    config.kind === 'disabled' ? config : { ...DEFAULT_RUN_SETTINGS, kind: 'faulty', name, reason },
  ]);
  return { servers: new Map(blocked), notice: `No server runs: ${reason}` };
}

/** Why nothing of what a file says counts, and what to do. */
export function untrustedReason(file: string): string {
  const how = `toolsift trust ${/^[\w./:\\~-]+$/.test(file) ? file : JSON.stringify(file)}`;
  return `${file} was found by the working directory alone and is not trusted as it is now; look at it, then run: ${how}`;
}
