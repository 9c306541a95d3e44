import { describe, expect, it } from 'vitest';
import type { IncomingRequest } from '../../src/jsonrpc/incoming-request.ts';
import { openConnection } from '../../src/upstream/connection.ts';
import { INTRODUCTION_MS, untilIntroduced } from '../../src/upstream/introduction.ts';
import { settled } from './fake-clock.ts';
import { type Answer, FakeServer } from './fake-server.ts';

const ROOTS = '{"capabilities":{"roots":{}}}';

async function connected(initializeParams: string, on: Record<string, Answer> = { ping: () => '{}' }) {
  const server = new FakeServer({ on });
  const asked: IncomingRequest[] = [];
  const connection = await openConnection({
    link: server.link,
    initializeParams,
    quote: (text) => text,
    signal: new AbortController().signal,
    members: new Set([{ asked: (request) => asked.push(request), told: () => {} }]),
    handlers: { onnotification: () => {}, onfault: () => {}, onclose: () => {} },
  });
  const begin = performance.now();
  const fate = { isIntroduced: false, ms: 0 };
  const introduced = untilIntroduced(connection).then(() => {
    fate.isIntroduced = true;
    fate.ms = performance.now() - begin;
  });
  await settled();
  return { server, asked, connection, fate, introduced };
}

describe('a server is introduced to its client', () => {
  it('once it has had a round trip, where it asks nothing', async () => {
    const { server, fate } = await connected(ROOTS);
    await settled();
    expect(server.received.slice(1)).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      '{"jsonrpc":"2.0","id":2,"method":"ping"}',
    ]);
    expect(fate.isIntroduced).toBe(true);
  });

  it('once what it asked by then is answered, and it has had time to read that', async () => {
    const { server, asked, fate, introduced } = await connected(ROOTS, { ping: () => undefined });
    const pings = () => server.requests.filter(({ frame }) => frame.method === 'ping');
    const roots = server.peer.request('roots/list');
    await settled();
    pings()[0]?.result('{}');
    await settled();
    expect([fate.isIntroduced, asked.map(({ frame }) => frame.method)]).toEqual([false, ['roots/list']]);
    asked[0]?.result('{"roots":[]}');
    await settled();
    expect([fate.isIntroduced, (await roots).bytes.toString()]).toEqual([
      false,
      expect.stringContaining('"roots":[]'),
    ]);
    pings()[1]?.result('{}');
    await introduced;
    expect(pings()).toHaveLength(2);
  });

  it('also where the client answered before the round trip was over', async () => {
    const { server, asked, introduced } = await connected(ROOTS, { ping: () => undefined });
    const pings = () => server.requests.filter(({ frame }) => frame.method === 'ping');
    void server.peer.request('roots/list');
    await settled();
    asked[0]?.result('{"roots":[]}');
    pings()[0]?.result('{}');
    await settled();
    expect(pings()).toHaveLength(2);
    pings()[1]?.result('{}');
    await introduced;
  });

  it('although it never stops asking', async () => {
    const server: FakeServer[] = [];
    const session = await connected(ROOTS, {
      ping: () => {
        for (const one of server) one.peer.request('vendor/ask').catch(() => {});
        return '{}';
      },
    });
    server.push(session.server);
    await session.introduced;
    expect(session.server.receivedOf('ping').length).toBeLessThanOrEqual(3);
  });

  it('at once by a client that can be asked nothing', async () => {
    const { server, fate } = await connected('{"capabilities":{"x":{}}}');
    expect([fate.isIntroduced, server.receivedOf('ping')]).toEqual([true, []]);
  });

  it('after a while, where it answers no ping or the client answers nothing', async () => {
    const silent = await connected(ROOTS, { ping: () => undefined });
    await silent.introduced;
    expect(silent.fate.ms).toBeGreaterThanOrEqual(INTRODUCTION_MS - 50);
    expect(silent.fate.ms).toBeLessThan(INTRODUCTION_MS + 1500);
    expect(silent.connection.peer.openRequests).toBe(0);
  });

  it('as far as it goes, where it knows no ping or ends', async () => {
    const refusing = await connected(ROOTS, {});
    await settled();
    expect(refusing.fate.isIntroduced).toBe(true);
    const ending = await connected(ROOTS, { ping: () => undefined });
    await ending.server.peer.close();
    await ending.introduced;
    expect(ending.fate.ms).toBeLessThan(INTRODUCTION_MS);
  });
});
