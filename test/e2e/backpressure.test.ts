import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { event, streamHead } from '../fixtures/http/fault-server.mjs';
import { serverFor } from '../fixtures/http/remote.ts';
import { fixture, type RemoteEntry, type ServerEntry } from '../helpers/fixture.ts';
import { startToolsift } from '../helpers/toolsift.ts';
import { waitFor } from '../helpers/wait-for.ts';

const PIECE = event(
  '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"flood"}}',
).repeat(200);
/** What pipes, sockets and a chunk each may hold on the way to a client that reads no more. */
const MAX_ON_THE_WAY_BYTES = 16 * 1024 * 1024;

interface Flooding {
  readonly entry: ServerEntry | RemoteEntry;
  /** Bytes that were taken from it. */
  readonly sent: () => number;
}

function overStdio(): Flooding {
  const folder = mkdtempSync(join(tmpdir(), 'toolsift-flood-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'count');
  return {
    entry: fixture('floods-client', [], { env: { FLOOD_COUNT: file } }),
    sent: () => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) * 1000,
  };
}

async function overHttp(): Promise<Flooding> {
  let sent = 0;
  const server = await serverFor({
    call: (_params, res) => {
      res.writeHead(200, streamHead);
      const write = () => {
        do sent += PIECE.length;
        while (!res.destroyed && res.write(PIECE));
      };
      res.on('drain', write).on('error', () => {});
      write();
      return undefined;
    },
  });
  return { entry: { url: server.url }, sent: () => sent };
}

it.each([
  ['over stdio', overStdio],
  ['over HTTP', overHttp],
])('a server %s that floods a client which has stopped reading is not read either', async (_how, start) => {
  const { entry, sent } = await start();
  const { client } = await startToolsift({ servers: { flooding: entry, echo: fixture('echo') } });
  client
    .ask('tools/call', {
      name: 'invoke_tool',
      arguments: { server: 'flooding', name: 'do', arguments: {} },
    })
    .catch(() => {});
  await waitFor('the flood', () => sent() > 0);
  client.stopReading();
  let before = -1;
  await waitFor('stillness', async () => {
    before = sent();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    return sent() === before;
  });
  expect(before).toBeLessThan(MAX_ON_THE_WAY_BYTES);
  client.readOn();
  await waitFor('the flood to go on', () => sent() > before);
});
