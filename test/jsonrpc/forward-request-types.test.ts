import { describe, expect, it } from 'vitest';
import { forwardRequest } from '../../src/jsonrpc/forward-request.ts';
import type { Peer } from '../../src/jsonrpc/peer.ts';
import { ignoring, peerOn, TestLink } from './messages.ts';

describe('a request whose id and progress token differ in type', () => {
  it.each([
    ['a number and a string', '7', '"token"'],
    ['a string and a number', '"id"', '3'],
  ])('keeps %s', (_, id, token) => {
    const [client, upstream] = [new TestLink(), new TestLink()];
    const to = peerOn(upstream, ignoring);
    const from: Peer = peerOn(client, {
      ...ignoring,
      onrequest: (request) => forwardRequest(request, { from, to, onlost: () => {} }),
    });
    client.receive(`{"jsonrpc":"2.0","id":${id},"method":"a","params":{"_meta":{"progressToken":${token}}}}`);
    const sent = JSON.parse(upstream.sent[0] ?? '') as {
      id: unknown;
      params: { _meta: { progressToken: unknown } };
    };
    expect(typeof sent.id).toBe(typeof JSON.parse(id));
    expect(typeof sent.params._meta.progressToken).toBe(typeof JSON.parse(token));
  });
});
