import type { ServerResponse } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { event, streamHead } from '../../fixtures/http/fault-server.mjs';
import { connect, type Remote, serverFor } from '../../fixtures/http/remote.ts';
import { startSseServer } from '../../fixtures/http/sse-server.mjs';
import { waitFor } from '../../helpers/wait-for.ts';

const PIECE = event('{"jsonrpc":"2.0","method":"notifications/message","params":{"data":1}}').repeat(500);
/** What the buffers of two sockets may hold on the way. */
const MAX_ON_THE_WAY_BYTES = 16 * 1024 * 1024;

/** Writes notifications as fast as they are taken; counts the bytes. */
class Flood {
  bytes = 0;

  into(res: ServerResponse): void {
    const write = () => {
      do this.bytes += PIECE.length;
      while (!res.destroyed && res.write(PIECE));
    };
    res.on('drain', write);
    res.on('error', () => {});
    write();
  }

  /** Resolves with what was written when nothing more is. */
  async stillness(): Promise<number> {
    for (let before = -1; before !== this.bytes; ) {
      before = this.bytes;
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    return this.bytes;
  }
}

/** Connects, and hands out what starts the flood in a stream of that kind. */
async function connectFor(kind: string, flood: Flood): Promise<[Remote, () => void]> {
  if (kind === 'of an SSE server') {
    const sse = await startSseServer();
    onTestFinished(() => sse.close());
    const remote = await connect(sse.url, { transport: 'sse' });
    return [remote, () => flood.into(sse.stream)];
  }
  const server = await serverFor({
    hasStream: true,
    call: (_params, res) => {
      res.writeHead(200, streamHead);
      flood.into(res);
      return undefined;
    },
  });
  const remote = await connect(server.url);
  await waitFor('the stream', () => server.streams.size === 1);
  if (kind === 'of a call') return [remote, () => void remote.call().catch(() => {})];
  return [remote, () => server.streams.forEach((stream) => void flood.into(stream))];
}

it.each(['of a call', 'of messages', 'of an SSE server'])(
  'a stream %s is read no further than what it brought is taken',
  async (kind) => {
    const flood = new Flood();
    const [remote, start] = await connectFor(kind, flood);
    start();
    const first = await waitFor('a message', () => remote.notifications[0]);
    const letGo = first.origin?.hold();
    const read = remote.notifications.length;
    const still = await flood.stillness();
    expect(still).toBeLessThan(MAX_ON_THE_WAY_BYTES);
    expect(remote.notifications.length - read).toBeLessThan(2000);
    letGo?.();
    await waitFor('the rest', () => flood.bytes > still + 4_000_000, 20_000);
  },
);
