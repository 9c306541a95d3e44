import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { RemoteEntry, ServerEntry } from './fixture.ts';
import { HttpClient } from './http-client.ts';
import type { Json } from './message.ts';
import { expectNoProcessesLeft, recordedPids } from './processes.ts';
import { RawClient } from './raw-client.ts';
import { CLI, homeIn } from './toolsift.ts';
import { waitFor } from './wait-for.ts';

export interface ServingOptions {
  readonly servers: Record<string, (ServerEntry | RemoteEntry) & { perSession?: boolean }>;
  /** Further keys of the configuration. */
  readonly config?: { [key: string]: Json };
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
}

/** A running `toolsift serve` on a free port. */
export class Serving {
  readonly directory = realpathSync(mkdtempSync(join(tmpdir(), 'toolsift-serve-')));
  readonly process: RawClient;
  readonly #pidsFile = join(this.directory, 'pids');
  url = '';

  constructor(options: ServingOptions) {
    this.configure(options);
    const args = [CLI, 'serve', '--port', '0', '--config', this.configFile, ...(options.args ?? [])];
    this.process = new RawClient(process.execPath, args, {
      env: { ...process.env, ...homeIn(this.directory), TOOLSIFT_TEST_PIDS: this.#pidsFile, ...options.env },
    });
  }

  get configFile(): string {
    return join(this.directory, 'toolsift.json');
  }

  get log(): string {
    return this.process.stderr;
  }

  get pids(): number[] {
    return recordedPids(this.#pidsFile);
  }

  get origin(): string {
    return new URL(this.url).origin;
  }

  configure({ servers, config }: ServingOptions): void {
    writeFileSync(this.configFile, JSON.stringify({ ...config, servers }, null, 2));
  }

  async listening(): Promise<void> {
    this.url = await waitFor('it serves', () => /serves MCP at (\S+)/.exec(this.log)?.[1]);
  }

  /** A client with a session of its own. */
  async connect(options: { capabilities?: Json; token?: string; accept?: string } = {}): Promise<HttpClient> {
    const client = new HttpClient(this.url, options);
    await client.initialize(options.capabilities);
    return client;
  }

  /** Asks it to leave as a service manager does, and proves that nothing is left. */
  async stop(): Promise<void> {
    try {
      if (!this.process.hasExited) process.kill(this.process.pid, 'SIGTERM');
      expect(await this.process.exited).toEqual({ code: 143, signal: null });
      await expectNoProcessesLeft(this.#pidsFile);
    } finally {
      rmSync(this.directory, { recursive: true, force: true, maxRetries: 3 });
    }
  }
}

export async function startServing(options: ServingOptions): Promise<Serving> {
  const serving = new Serving(options);
  onTestFinished(() => serving.stop());
  await serving.listening();
  return serving;
}
