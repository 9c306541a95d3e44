import { describe, expect, it } from 'vitest';
import type { ServerConfig } from '../../src/config/config.ts';
import { createLogger } from '../../src/log.ts';
import { Upstream, type UpstreamOptions } from '../../src/upstream/upstream.ts';
import { FakeClock, settled } from './fake-clock.ts';
import { FakeServer, type FakeServerOptions } from './fake-server.ts';
import { SETTINGS, stdioConfig } from './server-config.ts';

const PARAMS = '{"protocolVersion":"2025-11-25","capabilities":{"roots":{}}}';

/** An upstream whose every start meets a new server within the test. */
function open(config: ServerConfig = stdioConfig(), more: Partial<UpstreamOptions> & FakeServerOptions = {}) {
  const clock = new FakeClock();
  const servers: FakeServer[] = [];
  const lists: string[] = [];
  const states: string[] = [];
  const logged: string[] = [];
  const heard: string[] = [];
  const upstream = new Upstream({
    config,
    clock,
    log: createLogger('debug', (line) => logged.push(line)),
    openLink: async () => {
      const server = new FakeServer({ tools: ['a'], ...more });
      servers.push(server);
      return server.link;
    },
    onlists: ({ tools }) => lists.push(tools?.join() ?? 'none'),
    onready: () => states.push('told ready'),
    onstatus: ({ state }) => states.push(state),
    isWantedUnasked: () => true,
    ...more,
  });
  upstream.join({
    asked: (request) => heard.push(request.frame.method),
    told: (frame) => heard.push(frame.method),
  });
  return { upstream, clock, servers, lists, states, logged, heard };
}

describe('an upstream', () => {
  it('is started by its first use with the parameters of the client, and lists its tools', async () => {
    const { upstream, servers, lists, states } = open();
    expect([upstream.status.state, servers.length]).toEqual(['idle', 0]);
    const connection = await upstream.acquire(PARAMS);
    await settled();
    expect(servers[0]?.receivedOf('initialize')[0]).toContain(`"params":${PARAMS}`);
    expect([lists, states]).toEqual([['{"name":"a"}'], ['starting', 'ready', 'told ready']]);
    expect(upstream.acquire(PARAMS)).toBe(connection);
  });

  it('reads its lists again when it says that they have changed, and hands on all that it says', async () => {
    const { upstream, servers, clock, lists, heard } = open();
    await upstream.acquire(PARAMS);
    await settled();
    const [server] = servers;
    if (server !== undefined) server.tools = ['b'];
    server?.peer.notify('notifications/tools/list_changed');
    server?.peer.notify('notifications/message');
    server?.peer.request('roots/list').catch(() => {});
    await settled();
    await clock.pass(50);
    expect(lists).toEqual(['{"name":"a"}', '{"name":"b"}']);
    expect(heard).toEqual(['notifications/tools/list_changed', 'notifications/message', 'roots/list']);
  });

  it('comes back after a crash with its lists read anew', async () => {
    const { upstream, servers, clock, lists } = open();
    await upstream.acquire(PARAMS);
    await settled();
    await servers[0]?.peer.close();
    await settled();
    expect([upstream.status.state, upstream.connection]).toEqual(['backoff', undefined]);
    await clock.pass(1000);
    expect([upstream.status.state, servers.length, lists.length]).toEqual(['ready', 2, 2]);
  });

  it.each([
    [{ kind: 'disabled' }, 'disabled', 'upstream_unavailable', /"disabled" to false/],
    [
      { kind: 'faulty', reason: 'variable X is not set' },
      'failed',
      'server_config_invalid',
      /variable X is not set/,
    ],
  ] as const)('that cannot run as %o says why and starts nothing', async (entry, state, code, message) => {
    const { upstream, servers } = open({ name: 'x', ...SETTINGS, ...entry });
    expect(upstream.status.state).toBe(state);
    await expect(upstream.acquire(PARAMS)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
    expect(servers).toEqual([]);
  });

  it('is stopped when it has been idle for as long as is configured, and starts again', async () => {
    const { upstream, servers, clock } = open(stdioConfig({ idleStopMs: 60_000 }));
    await upstream.acquire(PARAMS);
    await settled();
    await clock.pass(50_000);
    await upstream.connection?.peer.request('ping').catch(() => {});
    await clock.pass(50_000);
    expect(upstream.status.state).toBe('ready');
    await clock.pass(40_000);
    expect([upstream.status.state, servers[0]?.peer.isClosed]).toEqual(['idle', true]);
    await upstream.acquire(PARAMS);
    expect(servers).toHaveLength(2);
  });

  it('is refreshed and stopped again where nobody used it', async () => {
    const { upstream, servers, lists } = open();
    await upstream.refresh(PARAMS);
    await settled();
    expect([lists, upstream.status.state, servers[0]?.peer.isClosed]).toEqual([
      ['{"name":"a"}'],
      'idle',
      true,
    ]);
  });

  it('is refreshed and left running where it was in use', async () => {
    const { upstream, lists } = open();
    await upstream.acquire(PARAMS);
    await settled();
    await upstream.refresh(PARAMS);
    expect([lists.length, upstream.status.state]).toEqual([2, 'ready']);
  });

  it('has failed, with the reason, when it lists more than it may', async () => {
    const { upstream, servers } = open(stdioConfig({ maxListItems: 2 }), { tools: ['a', 'b', 'c'] });
    await upstream.acquire(PARAMS);
    await settled();
    await settled();
    expect(upstream.status).toMatchObject({ state: 'failed' });
    expect(upstream.status.reason).toContain('raise "maxListItems"');
    expect(servers[0]?.peer.isClosed).toBe(true);
  });

  it('logs what is no message without the secrets of its entry, and what is too long', async () => {
    const { upstream, servers, logged } = open(stdioConfig({ env: { TOKEN: 'hush' } }));
    await upstream.acquire(PARAMS);
    const link = servers[0]?.link;
    link?.fail({ kind: 'junk', line: 'started with hush', isJson: false, id: undefined, isAnswer: false });
    link?.fail({ kind: 'oversize', of: 'response', bytes: 500, limit: 100, id: undefined });
    expect(logged.join('')).toMatch(/"x" wrote something that is no JSON-RPC message: started with \*\*\*/);
    expect(logged.join('')).toMatch(
      /"x" sent a message that was dropped: the message has 500 bytes, more than the limit of 100/,
    );
    expect(logged.join('')).not.toContain('hush');
  });

  it('closes its session when it is stopped, and reads nothing any more', async () => {
    const { upstream, servers, clock, states } = open();
    await upstream.acquire(PARAMS);
    await settled();
    servers[0]?.peer.notify('notifications/tools/list_changed');
    await settled();
    await upstream.stop();
    await settled();
    await clock.pass(1_000_000);
    expect([servers[0]?.peer.isClosed, servers[0]?.receivedOf('tools/list').length]).toEqual([true, 1]);
    expect(states.at(-1)).toBe('stopped');
  });
});
