import { homedir } from 'node:os';
import path from 'node:path';
import type { AgentFile } from './agent.ts';

/** What paths of agents depend on. */
export interface Machine {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder whose project files are meant. */
  readonly project: string;
}

export function thisMachine(): Machine {
  return { home: homedir(), platform: process.platform, env: process.env, project: process.cwd() };
}

/** Where a file of an agent is on a machine, if it is there at all. */
export function pathOf({ path: written }: AgentFile, machine: Machine): string {
  const own = typeof written === 'string' ? written : written[ownPlatform(machine.platform)];
  const join = machine.platform === 'win32' ? path.win32.join : path.posix.join;
  if (own.startsWith('~/')) return join(machine.home, own.slice(2));
  if (own.startsWith('@/')) return join(settingsFolder(machine), own.slice(2));
  return join(machine.project, own);
}

function ownPlatform(platform: NodeJS.Platform): 'linux' | 'darwin' | 'win32' {
  return platform === 'darwin' || platform === 'win32' ? platform : 'linux';
}

/** Where applications keep their settings. */
function settingsFolder({ home, platform, env }: Machine): string {
  if (platform === 'darwin') return path.posix.join(home, 'Library/Application Support');
  if (platform === 'win32') return env.APPDATA || path.win32.join(home, 'AppData/Roaming');
  const xdg = env.XDG_CONFIG_HOME;
  return xdg !== undefined && path.posix.isAbsolute(xdg) ? xdg : path.posix.join(home, '.config');
}
