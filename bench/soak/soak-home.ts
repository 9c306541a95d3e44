import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeCacheFile } from '../../src/catalog/cache-file.ts';
import { SoakClient } from './soak-client.ts';

const CLI = process.env.TOOLSIFT_SOAK_CLI ?? join(process.cwd(), 'dist/cli.js');
/** The bundle lies elsewhere; the repository is the working directory. */
const CHAOS_SERVER = join(process.cwd(), 'bench/soak/chaos-server.mjs');

export interface SoakServer {
  readonly name: string;
  /** Does only what it is asked: calls of it must never fail. */
  readonly isCalm: boolean;
  /** Tools it lists that nobody calls: the more, the longer the catalog takes to write. */
  readonly furtherTools: number;
}

/** A user's folders with a configuration of servers that misbehave, and what is left in them. */
export class SoakHome {
  readonly servers: readonly SoakServer[];
  readonly #folder = mkdtempSync(join(tmpdir(), 'toolsift-soak-'));

  constructor(servers: readonly SoakServer[], settings: Readonly<Record<string, unknown>>) {
    this.servers = servers;
    mkdirSync(join(this.#folder, 'tmp'));
    const entries = servers.map(({ name, isCalm, furtherTools }) => {
      const args = [CHAOS_SERVER, name, isCalm ? 'calm' : 'wild', String(furtherTools)];
      // What hangs ends in a typed error; a good server needs no limit.
      return [name, { command: process.execPath, args, ...(isCalm ? {} : { timeoutSeconds: 3 }) }];
    });
    const config = { ...settings, servers: Object.fromEntries(entries) };
    writeFileSync(this.configFile, JSON.stringify(config, undefined, 2));
  }

  get configFile(): string {
    return join(this.#folder, 'toolsift.json');
  }

  get #cacheFolder(): string {
    return join(this.#folder, 'cache', 'toolsift');
  }

  start(...args: string[]): SoakClient {
    const command = args.length === 0 ? ['mcp', '--config', this.configFile] : args;
    const own = (name: string) => join(this.#folder, name);
    const env = {
      ...process.env,
      ...{ HOME: this.#folder, XDG_CONFIG_HOME: own('config'), XDG_CACHE_HOME: own('cache') },
      ...{ XDG_DATA_HOME: own('data'), XDG_STATE_HOME: own('state'), XDG_RUNTIME_DIR: own('run') },
      ...{ TMPDIR: own('tmp'), SOAK_PIDS: own('pids'), TOOLSIFT_LOG: 'error' },
    };
    return new SoakClient([CLI, ...command], env);
  }

  /** How many servers' tools are in the catalog on disk. */
  knownServers(): number {
    return this.#catalogFiles().length;
  }

  forgetCatalog(): void {
    rmSync(this.#cacheFolder, { recursive: true, force: true });
  }

  /** Processes that servers have written down and that still run. */
  runningPids(): number[] {
    const file = join(this.#folder, 'pids');
    const pids = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number) : [];
    return [...new Set(pids)].filter(isOurs);
  }

  /** The command line of a process. */
  describe(pid: number): string {
    return `${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`;
  }

  /** Files that nobody should have left: temporary ones, locks and sockets. */
  strayFiles(): string[] {
    return readdirSync(this.#folder, { recursive: true, withFileTypes: true })
      .filter(
        (file) => file.isSocket() || /\.(tmp|lock)$/.test(file.name) || file.parentPath.endsWith('/tmp'),
      )
      .map((file) => file.name);
  }

  /** Files of the catalog that are not whole. Names that say they are temporary do not count. */
  damagedFiles(): string[] {
    return this.#catalogFiles().filter(
      (file) => decodeCacheFile('', readFileSync(join(this.#cacheFolder, file))) === undefined,
    );
  }

  #catalogFiles(): string[] {
    if (!existsSync(this.#cacheFolder)) return [];
    return readdirSync(this.#cacheFolder).filter((file) => file.endsWith('.catalog'));
  }

  remove(): void {
    for (const pid of this.runningPids()) process.kill(pid, 'SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Whether a process runs and is one of those that servers write down; numbers are used again by others. */
function isOurs(pid: number): boolean {
  try {
    if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return false;
    return /chaos-server|sleep 3600/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false; // gone
  }
}

export interface Usage {
  readonly megabytes: number;
  readonly openFiles: number;
}

export function usageOf(pid: number): Usage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1]);
  return { megabytes: kilobytes / 1024, openFiles: readdirSync(`/proc/${pid}/fd`).length };
}
