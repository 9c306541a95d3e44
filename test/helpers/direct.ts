import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, onTestFinished } from 'vitest';
import type { ServerEntry } from './fixture.ts';
import { type Json, type Message, readMessages } from './message.ts';
import { expectNoProcessesLeft } from './processes.ts';
import { RawClient } from './raw-client.ts';

/** A client on a fixture server with nothing between them: what toolsift is compared with. */
export class Direct {
  readonly client: RawClient;
  readonly #directory = mkdtempSync(join(tmpdir(), 'toolsift-direct-'));

  constructor(entry: ServerEntry) {
    this.client = new RawClient(entry.command, entry.args ?? [], {
      env: {
        ...process.env,
        ...entry.env,
        TOOLSIFT_TEST_PIDS: this.#file('pids'),
        TOOLSIFT_TEST_RECEIVED: this.#file('received'),
      },
    });
  }

  call(name: string, args: Json = {}): Promise<Message> {
    return this.client.ask('tools/call', { name, arguments: args });
  }

  received(): Message[] {
    const file = this.#file('received');
    if (!existsSync(file)) return [];
    return readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) => readMessages(line) ?? []);
  }

  get pidsFile(): string {
    return this.#file('pids');
  }

  async stop(): Promise<void> {
    try {
      if (!this.client.hasExited) await this.client.close(3_000);
      await expectNoProcessesLeft(this.pidsFile);
    } finally {
      rmSync(this.#directory, { recursive: true, force: true });
    }
  }

  #file(name: string): string {
    return join(this.#directory, name);
  }
}

/** `prepare` sets up what the client answers, before it says hello. */
export async function startDirect(
  entry: ServerEntry,
  capabilities: Json = {},
  prepare: (client: RawClient) => void = () => {},
): Promise<Direct> {
  const direct = new Direct(entry);
  onTestFinished(() => direct.stop());
  prepare(direct.client);
  await direct.client.initialize({ capabilities });
  return direct;
}

export function sharedDirect(entry: ServerEntry): () => Direct {
  let direct: Direct | undefined;
  beforeAll(async () => {
    const started = new Direct(entry);
    direct = started;
    await started.client.initialize();
    return () => started.stop();
  });
  return () => {
    if (!direct) throw new Error('the server is not started yet');
    return direct;
  };
}
