import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { Peer } from '../../src/jsonrpc/peer.ts';
import { StreamLink } from '../../src/jsonrpc/stream-link.ts';
import { ignoring } from './messages.ts';

async function open() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const link = new StreamLink({ input, output, maxMessageBytes: 200 });
  const peer = new Peer(link, ignoring);
  await peer.start();
  const sent: unknown[] = [];
  output.on('data', (bytes: Buffer) => {
    for (const line of bytes.toString().trimEnd().split('\n')) sent.push(JSON.parse(line));
  });
  return { input, peer, sent };
}

const BIG = `{"text":"${'x'.repeat(2000)}"}`;

describe('a request above the size limit', () => {
  it('leaves a request of ours with the same id alone', async () => {
    const { input, peer } = await open();
    const answer = peer.request('tools/call');
    input.write(`{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":${BIG}}\n`);
    input.write('{"jsonrpc":"2.0","id":1,"result":"ok"}\n');
    await expect(answer).resolves.toMatchObject({ kind: 'response' });
  });

  it('is answered with an error that names the limit, so that nobody waits for ever', async () => {
    const { input, sent } = await open();
    input.write(`{"jsonrpc":"2.0","id":"big","method":"tools/call","params":${BIG}}\n`);
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    expect(sent).toMatchObject([{ id: 'big', error: { message: expect.stringContaining('200') } }]);
  });
});
