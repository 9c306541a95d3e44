import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ServerEntry } from '../helpers/fixture.ts';
import { type Json, type Message, readMessages } from '../helpers/message.ts';
import { expectNoProcessesLeft } from '../helpers/processes.ts';
import { type Exit, RawClient } from '../helpers/raw-client.ts';
import { CLI, startToolsift, type Toolsift, type ToolsiftOptions } from '../helpers/toolsift.ts';
import { within } from '../helpers/wait-for.ts';

/** An entry with keys that say how the server is run. */
export type Entry = ServerEntry & {
  start?: 'on-demand' | 'eager';
  idleStopSeconds?: number;
  refreshAfterHours?: number;
  log?: boolean;
};

export interface RemoteEntry {
  url: string;
  headers?: Record<string, string>;
  [key: string]: Json | undefined;
}

export type Servers = Record<string, Entry | RemoteEntry>;

export interface CommandResult extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

/** One user's folders and `toolsift.json`, for several sessions and commands after or beside each other. */
export class UserHome {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolsift-home-')));
  readonly configFile = join(this.folder, 'toolsift.json');
  readonly cacheFolder = join(this.folder, 'cache', 'toolsift');
  readonly pidsFile = join(this.folder, 'pids');
  readonly env: Record<string, string>;

  constructor() {
    const own = (name: string) => join(this.folder, name);
    this.env = {
      ...{ HOME: this.folder, USERPROFILE: this.folder, APPDATA: this.folder, LOCALAPPDATA: this.folder },
      ...{ XDG_CONFIG_HOME: own('config'), XDG_CACHE_HOME: own('cache'), XDG_DATA_HOME: own('data') },
      ...{ XDG_STATE_HOME: own('state'), XDG_RUNTIME_DIR: own('run'), TMPDIR: own('tmp') },
    };
    mkdirSync(own('tmp'));
  }

  /** Replaces `toolsift.json`. What servers receive is written down for `received`. */
  write(servers: Servers, config: { [key: string]: Json } = {}): void {
    const entries = Object.entries(servers).map(([name, entry]) => {
      if ('url' in entry) return [name, entry];
      return [name, { ...entry, env: { TOOLSIFT_TEST_RECEIVED: this.#receivedFile(name), ...entry.env } }];
    });
    this.writeText(JSON.stringify({ ...config, servers: Object.fromEntries(entries) }, undefined, 2));
  }

  writeText(text: string): void {
    writeFileSync(this.configFile, text);
  }

  /** A session of an agent; ends with the test, and leaves no process. Waits for no server unless told. */
  session(options: Partial<ToolsiftOptions> = {}): Promise<Toolsift> {
    const { args = [], env = {}, ...rest } = options;
    return startToolsift({
      ...{ servers: {}, awaits: [], ...rest },
      ...{ args: ['--config', this.configFile, ...args], env: { ...this.env, ...env } },
    });
  }

  /** A session that has run and ended: what the servers offer is known from then on. */
  async warmUp(...servers: string[]): Promise<void> {
    const session = await this.session({ awaits: servers });
    await session.client.close();
  }

  /** A process of the command line that goes on, as `logs -f` does. */
  command(args: readonly string[], cwd = process.cwd()): RawClient {
    const own = { ...this.env, TOOLSIFT_TEST_PIDS: this.pidsFile, TOOLSIFT_CONFIG: this.configFile };
    const client = new RawClient(process.execPath, [CLI, ...args], { cwd, env: { ...process.env, ...own } });
    onTestFinished(() => {
      if (!client.hasExited) client.kill('SIGKILL');
    });
    return client;
  }

  /** Runs a command to its end, in the folder that sessions run in. */
  run(...args: string[]): Promise<CommandResult> {
    return this.runIn(process.cwd(), ...args);
  }

  async runIn(cwd: string, ...args: string[]): Promise<CommandResult> {
    const client = this.command(args, cwd);
    client.endInput();
    const exit = await within(`toolsift ${args.join(' ')}`, 15_000, client.exited);
    return { ...exit, stdout: client.junk.join('\n'), stderr: client.stderr };
  }

  received(server: string, method?: string): Message[] {
    const text = readIfThere(this.#receivedFile(server));
    const messages = text.split('\n').flatMap((line) => readMessages(line) ?? []);
    return method === undefined ? messages : messages.filter((message) => message.method === method);
  }

  /** How often a server has been started. */
  starts(server: string): number {
    return this.received(server, 'initialize').length;
  }

  /** The files of the catalog, temporary ones included. */
  cacheFiles(): string[] {
    try {
      return readdirSync(this.cacheFolder)
        .filter((file) => !file.endsWith('.checked'))
        .toSorted()
        .map((file) => join(this.cacheFolder, file));
    } catch {
      return []; // nothing has been kept yet
    }
  }

  /** Every file there is, as text. */
  everything(): Map<string, string> {
    const files = readdirSync(this.folder, { recursive: true, withFileTypes: true });
    const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    return new Map(paths.map((path) => [path, readFileSync(path, 'latin1')]));
  }

  async remove(): Promise<void> {
    try {
      await expectNoProcessesLeft(this.pidsFile);
    } finally {
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  #receivedFile(server: string): string {
    return join(this.folder, `received-${encodeURIComponent(server)}.jsonl`);
  }
}

/** A home for the test that runs. */
export function userHome(servers: Servers = {}, config: { [key: string]: Json } = {}): UserHome {
  const home = new UserHome();
  onTestFinished(() => home.remove());
  home.write(servers, config);
  return home;
}

export function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // nothing has been written yet
  }
}
