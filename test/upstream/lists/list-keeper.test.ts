import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import { openConnection } from '../../../src/upstream/connection.ts';
import { ListKeeper } from '../../../src/upstream/lists/list-keeper.ts';
import { FakeClock, settled } from '../fake-clock.ts';
import { type Answer, FakeServer } from '../fake-server.ts';

const handlers = { onnotification: () => {}, onfault: () => {}, onclose: () => {} };

/** A keeper on a server whose tools the test changes. */
async function keep(more: { on?: Record<string, Answer>; capabilities?: string } = {}) {
  const server = new FakeServer({ tools: ['a'], ...more });
  const connection = await openConnection({
    link: server.link,
    initializeParams: '{}',
    quote: (text: string) => text,
    members: new Set(),
    handlers,
    signal: new AbortController().signal,
  });
  const clock = new FakeClock();
  const seen: string[] = [];
  const logged: string[] = [];
  const tooLarge: string[] = [];
  const keeper = new ListKeeper({
    name: 'x',
    connection,
    clock,
    log: createLogger('debug', (line) => logged.push(line)),
    quote: (text) => text,
    limits: () => ({ maxListBytes: 10_000, maxListItems: 100 }),
    ontoolarge: (error) => tooLarge.push(error.message),
    onlists: ({ tools }, isFinal) => seen.push(`${tools?.join() ?? 'nothing'}${isFinal ? '' : ' for now'}`),
  });
  const readings = () => server.receivedOf('tools/list').length;
  return { server, clock, keeper, seen, logged, tooLarge, readings };
}

describe('ListKeeper', () => {
  it('reads once for all who ask at a time', async () => {
    const { keeper, seen, readings } = await keep();
    await Promise.all([keeper.read(), keeper.read(), keeper.untilRead()]);
    expect([seen, readings()]).toEqual([['{"name":"a"}'], 1]);
  });

  it('says so when the lists are too large, and does not read them again by itself', async () => {
    const { keeper, server, clock, seen, tooLarge, readings } = await keep();
    server.tools = Array.from({ length: 101 }, (_, n) => `t${n}`);
    await keeper.read();
    await clock.pass(1_000_000);
    expect([seen, tooLarge.length, readings()]).toEqual([[], 1, 1]);
    expect(keeper.problem).toContain('raise "maxListItems"');
  });

  it('reads again after a burst of changes, once', async () => {
    const { keeper, server, clock, seen } = await keep();
    await keeper.read();
    server.tools = ['b'];
    for (let count = 0; count < 20; count++) keeper.changed();
    await clock.pass(49);
    expect(seen).toHaveLength(1);
    await clock.pass(1);
    expect(seen).toEqual(['{"name":"a"}', '{"name":"b"}']);
    await clock.pass(1_000_000);
    expect(seen).toHaveLength(2);
  });

  it('reads again when a change is announced while it reads', async () => {
    const { keeper, server, seen } = await keep();
    const reading = keeper.read();
    server.tools = ['b'];
    keeper.changed();
    await reading;
    expect(seen).toEqual(['{"name":"b"}', '{"name":"b"}']);
  });

  it('is settled when every announced change has been read, without waiting for the pause', async () => {
    const { keeper, server, clock, seen } = await keep();
    await keeper.read();
    await keeper.untilRead();
    expect(seen).toHaveLength(1);
    server.tools = ['b'];
    keeper.changed();
    await keeper.untilRead();
    expect([seen[1], clock.timers]).toEqual(['{"name":"b"}', 0]);
  });

  it('tries again, later and later, when a server with tools lists none at first', async () => {
    const { keeper, server, clock, seen } = await keep();
    server.tools = [];
    await keeper.read();
    await clock.pass(1000);
    await clock.pass(4999);
    expect(seen).toEqual([' for now', ' for now']);
    server.tools = ['late'];
    await clock.pass(1);
    expect(seen[2]).toBe('{"name":"late"}');
    expect(clock.timers).toBe(0);
  });

  it('takes an empty list for final when it stays empty', async () => {
    const { keeper, server, clock, seen } = await keep();
    server.tools = [];
    await keeper.read();
    await clock.pass(1_000_000);
    expect(seen).toEqual([' for now', ' for now', ' for now', '']);
  });

  it('takes an empty list for final where no tools are declared', async () => {
    const { keeper, server, clock, seen } = await keep({ capabilities: '{"prompts":{}}' });
    server.tools = [];
    await keeper.read();
    expect([seen, clock.timers]).toEqual([[''], 0]);
  });

  it('says what failed, names the server, and tries again', async () => {
    let isBroken = true;
    const { keeper, clock, seen, logged } = await keep({
      on: {
        'tools/list': (request) => {
          if (!isBroken) return '{"tools":[{"name":"z"}]}';
          request.error(-32603, 'not yet');
          return undefined;
        },
      },
    });
    await keeper.read();
    expect(logged.join('')).toBe('toolsift: warn: server "x" answered tools/list with error -32603: not yet');
    isBroken = false;
    await clock.pass(1000);
    expect(seen).toEqual(['nothing for now', '{"name":"z"}']);
  });

  it('reads nothing any more once it is closed', async () => {
    const { keeper, clock, readings, logged } = await keep();
    await keeper.read();
    keeper.changed();
    keeper.close();
    await clock.pass(1_000_000);
    await settled();
    expect([readings(), logged]).toEqual([1, []]);
  });

  it('does not throw when the session ends while it reads', async () => {
    const { keeper, server, seen } = await keep({ on: { 'tools/list': () => undefined } });
    const reading = keeper.read();
    await settled();
    await server.peer.close();
    await expect(reading).resolves.toBeUndefined();
    expect(seen).toEqual([]);
  });
});
