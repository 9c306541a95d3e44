import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, onTestFinished } from 'vitest';
import type { RemoteEntry, ServerEntry } from './fixture.ts';
import { type Answer, at, type Json, jsonOf, type Message, readMessages } from './message.ts';
import { expectNoProcessesLeft, recordedPids } from './processes.ts';
import { RawClient } from './raw-client.ts';
import { waitFor } from './wait-for.ts';

/** What users run; an installed copy can be named instead. */
export const CLI =
  process.env.TOOLSIFT_TEST_CLI ?? fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface ToolsiftOptions {
  servers: Record<string, ServerEntry | RemoteEntry>;
  pinned?: string[];
  /** Further keys of the configuration. */
  config?: { [key: string]: Json };
  /** Further arguments of `toolsift mcp`. */
  args?: string[];
  env?: Record<string, string>;
  capabilities?: Json;
  protocolVersion?: string;
  clientInfo?: Json;
  /** Sets up what the client answers, before it says hello. */
  prepare?: (client: RawClient) => void;
  /** Whether the client says hello by itself; default true. */
  initializes?: boolean;
  /** Servers whose tools must be known before the test begins; default all. */
  awaits?: string[];
}

/** A running `toolsift mcp`, its client, and what its servers wrote down. */
export class Toolsift {
  readonly client: RawClient;
  readonly directory: string;
  readonly pidsFile: string;

  constructor(options: ToolsiftOptions) {
    this.directory = realpathSync(mkdtempSync(join(tmpdir(), 'toolsift-e2e-')));
    this.pidsFile = join(this.directory, 'pids');
    const configFile = join(this.directory, 'toolsift.json');
    writeFileSync(configFile, JSON.stringify(this.#config(options), null, 2));
    this.client = new RawClient(
      process.execPath,
      [CLI, 'mcp', '--config', configFile, ...(options.args ?? [])],
      {
        env: { ...process.env, ...homeIn(this.directory), TOOLSIFT_TEST_PIDS: this.pidsFile, ...options.env },
      },
    );
  }

  call(
    name: string,
    args: Json,
    options: { meta?: Json; id?: Json; limitMs?: number } = {},
  ): Promise<Answer> {
    const { meta, ...rest } = options;
    return this.client.ask('tools/call', { name, arguments: args, ...(meta ? { _meta: meta } : {}) }, rest);
  }

  /** Calls a tool of a server through `invoke_tool`. */
  invoke(
    server: string,
    name: string,
    args: Json = {},
    options: { meta?: Json; id?: Json; limitMs?: number } = {},
  ): Promise<Answer> {
    return this.call('invoke_tool', { server, name, arguments: args }, options);
  }

  /** What `list_servers` says about one server. */
  async server(name: string): Promise<Json | undefined> {
    const servers = at(jsonOf(await this.call('list_servers', {})), 'servers');
    return Array.isArray(servers) ? servers.find((server) => at(server, 'name') === name) : undefined;
  }

  /** Waits until the tools of these servers are known. */
  async listed(...names: string[]): Promise<void> {
    for (const name of names) {
      await waitFor(
        `the tools of ${name} are known`,
        async () => Number(at(await this.server(name), 'tools')) > 0,
      );
    }
  }

  async toolNames(): Promise<Json[]> {
    const tools = at((await this.client.ask('tools/list', {})).result, 'tools');
    return Array.isArray(tools) ? tools.map((tool) => at(tool, 'name') ?? null) : [];
  }

  /** Messages that reached a server, in order. */
  received(server: string, method?: string): Message[] {
    const file = receivedFile(this.directory, server);
    if (!existsSync(file)) return [];
    const messages = readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) => readMessages(line) ?? []);
    return method === undefined ? messages : messages.filter((message) => message.method === method);
  }

  get pids(): number[] {
    return recordedPids(this.pidsFile);
  }

  /** Ends the client's side and proves that toolsift left nothing: no process, no line that is no protocol. */
  async stop(): Promise<void> {
    try {
      if (!this.client.hasExited) await this.client.close();
      await expectNoProcessesLeft(this.pidsFile);
      expect(this.client.junk, 'lines on stdout that are no answer, request or notification').toEqual([]);
    } finally {
      rmSync(this.directory, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  #config({ servers, pinned, config }: ToolsiftOptions): { [key: string]: Json } {
    const entries = Object.entries(servers).map(([name, entry]): [string, Json] => {
      const env = { TOOLSIFT_TEST_RECEIVED: receivedFile(this.directory, name), ...entry.env };
      return [name, { ...entry, env }];
    });
    return { ...config, servers: Object.fromEntries(entries), ...(pinned ? { pinned } : {}) };
  }
}

/** Starts toolsift for the test that runs; at its end everything is stopped and checked. */
export async function startToolsift(options: ToolsiftOptions): Promise<Toolsift> {
  const toolsift = new Toolsift(options);
  onTestFinished(() => toolsift.stop());
  await greet(toolsift, options);
  return toolsift;
}

/** One toolsift for all tests of a file or a `describe`; the last check is the same. */
export function sharedToolsift(options: ToolsiftOptions): () => Toolsift {
  let toolsift: Toolsift | undefined;
  beforeAll(async () => {
    const started = new Toolsift(options);
    toolsift = started;
    await greet(started, options);
    return () => started.stop();
  });
  return () => {
    if (!toolsift) throw new Error('toolsift is not started yet');
    return toolsift;
  };
}

async function greet(toolsift: Toolsift, options: ToolsiftOptions): Promise<void> {
  options.prepare?.(toolsift.client);
  if (options.initializes === false) return;
  await toolsift.client.initialize(options);
  await toolsift.listed(...(options.awaits ?? Object.keys(options.servers)));
}

function receivedFile(directory: string, server: string): string {
  return join(directory, `received-${encodeURIComponent(server)}.jsonl`);
}

/** A home of its own: no test reads or writes what belongs to the user. */
export function homeIn(directory: string): Record<string, string> {
  return {
    HOME: directory,
    USERPROFILE: directory,
    XDG_CONFIG_HOME: join(directory, 'config'),
    XDG_CACHE_HOME: join(directory, 'cache'),
    XDG_DATA_HOME: join(directory, 'data'),
    XDG_STATE_HOME: join(directory, 'state'),
    APPDATA: directory,
    LOCALAPPDATA: directory,
  };
}
