import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { Peer } from '../../src/jsonrpc/peer.ts';
import { refuseJunk } from '../../src/jsonrpc/refuse-junk.ts';
import { StreamLink } from '../../src/jsonrpc/stream-link.ts';
import { ignoring } from './messages.ts';

/** What a client is told that writes this line. */
async function told(line: string): Promise<unknown[]> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const link = new StreamLink({ input, output, maxMessageBytes: 1000 });
  const peer: Peer = new Peer(link, { ...ignoring, onfault: (fault) => refuseJunk(peer, fault) });
  await peer.start();
  input.end(`${line}\n`);
  await new Promise((resolve) => input.once('close', resolve));
  await peer.close();
  return (await output.toArray()).flatMap((chunk) =>
    String(chunk)
      .split('\n')
      .filter((text) => text !== '')
      .map((text) => {
        const { id, error } = JSON.parse(text) as { id: unknown; error: { code: number } };
        return [id, error.code];
      }),
  );
}

it.each([
  ['half a line of JSON', '{"jsonrpc":"2.0","id":1,"meth', [[null, -32700]]],
  ['words', 'hello', [[null, -32700]]],
  ['a request without a version', '{"id":"x","method":"tools/list"}', [['x', -32600]]],
  ['a request whose method is a number', '{"jsonrpc":"2.0","id":7,"method":1}', [[7, -32600]]],
  ['an object with nothing in it', '{}', [[null, -32600]]],
  ['a request whose id is no id', '{"id":{},"method":"a"}', [[null, -32600]]],
  ['an answer that is none', '{"id":7,"result":{}}', []],
])('a client that writes %s is told in the words of JSON-RPC', async (_, line, expected) => {
  expect(await told(line)).toEqual(expected);
});
