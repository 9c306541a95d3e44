import { describe, expect, it, onTestFinished } from 'vitest';
import type { Config, ServerConfig } from '../../src/config/config.ts';
import { textOf } from '../../src/jsonrpc/frame.ts';
import { createLinkedLinks } from '../../src/jsonrpc/linked-links.ts';
import { createLogger } from '../../src/log.ts';
import { ToolProxy } from '../../src/proxy/proxy.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { peerOn } from '../jsonrpc/messages.ts';
import { fixtureConfig, stdioConfig } from '../upstream/server-config.ts';

function configOf(servers: readonly ServerConfig[], more: Partial<Config> = {}): Config {
  return {
    file: '/nowhere/toolsift.json',
    servers: new Map(servers.map((server) => [server.name, server])),
    pinned: [],
    topK: 5,
    maxMessageBytes: 1_000_000,
    pinnedWaitMs: 10_000,
    search: { mode: 'learned', maxTokens: 4000 },
    warnings: [],
    ...more,
  };
}

const PARAMS =
  '{"protocolVersion":"2025-11-25","capabilities":{"x":1.0},"clientInfo":{"name":"t","version":"1"}}';

/** A proxy on these servers, and the client in front of it. */
async function serve(servers: readonly ServerConfig[], more: Partial<Config> = {}, only?: string) {
  const logged: string[] = [];
  const log = createLogger('debug', (line) => logged.push(line));
  const proxy = new ToolProxy({ config: configOf(servers, more), log, version: '1.2.3' });
  onTestFinished(() => proxy.close());
  const [ours, theirs] = createLinkedLinks();
  const notifications: string[] = [];
  const client = peerOn(ours, {
    onrequest: () => {},
    onnotification: ({ method }) => notifications.push(method),
    onclose: () => {},
    onfault: () => {},
  });
  const served = proxy.serve(theirs, only);
  const ask = async (method: string, params?: string) => {
    const answer = await client.request(method, params);
    return textOf(answer, answer.result ?? answer.error ?? { start: 0, end: 0 });
  };
  const call = (name: string, args: object) => ask('tools/call', JSON.stringify({ name, arguments: args }));
  // What the client sees, as another does that declares the same.
  const seen = proxy.enter(PARAMS);
  const state = (name: string) => seen.upstreams.get(name)?.status.state;
  await ask('initialize', PARAMS);
  client.notify('notifications/initialized');
  return { proxy, seen, client, served, notifications, logged, ask, call, state };
}

const names = (list: string) =>
  (JSON.parse(list) as { tools: { name: string }[] }).tools.map(({ name }) => name);

describe('a proxy', () => {
  it('answers from the good servers whatever the bad ones do, and says what is wrong with those', async () => {
    const { seen, call, state } = await serve([
      fixtureConfig('echo'),
      fixtureConfig('crash-on-start'),
      fixtureConfig('never-initializes'),
      stdioConfig({ name: 'missing', command: 'toolsift-no-such-command' }),
    ]);
    await waitFor(
      'echo is listed, two have failed',
      () =>
        seen.catalog.upstream('echo') !== undefined &&
        state('missing') === 'failed' &&
        state('crash-on-start') === 'backoff',
    );
    const found = await call('search_tools', { query: 'repeats the arguments' });
    expect(found).toContain('\\"server\\":\\"echo\\",\\"name\\":\\"echo\\"');
    expect(found).toMatch(/crash-on-start.*exited with code 3.*never-initializes.*missing.*was not found/);
    expect(await call('invoke_tool', { server: 'echo', name: 'echo', arguments: { word: 'hi' } })).toContain(
      'hi',
    );
    expect(await call('invoke_tool', { server: 'missing', name: 'x' })).toContain('toolsift/error');
  });

  it('gives upstreams the hello of the client, and its pinned tools as soon as they are there', async () => {
    const { ask, call } = await serve([fixtureConfig('echo')], { pinned: ['show_initialize'] });
    expect(names(await ask('tools/list'))).toEqual([
      'search_tools',
      'invoke_tool',
      'list_servers',
      'show_initialize',
    ]);
    const shown = await call('show_initialize', {});
    expect(shown).toContain(String.raw`\"capabilities\":{\"x\":1.0}`);
  });

  it('finds a tool that a running server has added, and not one that it has removed', async () => {
    const { call } = await serve([fixtureConfig('changing-tools')]);
    await call('invoke_tool', { server: 'changing-tools', name: 'add', arguments: { name: 'zebra' } });
    expect(await call('invoke_tool', { server: 'changing-tools', name: 'zebra' })).toContain('called zebra');
    expect(await call('search_tools', { query: 'zebra' })).toContain('zebra');
    await call('invoke_tool', { server: 'changing-tools', name: 'remove', arguments: { name: 'zebra' } });
    expect(await call('invoke_tool', { server: 'changing-tools', name: 'nope' })).toContain('unknown_tool');
    expect(await call('search_tools', { query: 'zebra' })).toContain('\\"tools\\":[]');
  });

  it('applies a changed configuration: what is new starts, what is gone stops, what is the same goes on', async () => {
    const { proxy, seen, ask, notifications, call } = await serve(
      [fixtureConfig('echo'), fixtureConfig('tool-error')],
      {
        pinned: ['echo'],
      },
    );
    await ask('tools/list');
    await waitFor('both are listed', () => seen.catalog.upstream('tool-error') !== undefined);
    const [echo, gone] = [seen.upstreams.get('echo'), seen.upstreams.get('tool-error')];
    proxy.applyConfig(configOf([fixtureConfig('echo'), fixtureConfig('paginated')], { pinned: [] }));
    expect(seen.upstreams.get('echo')).toBe(echo);
    await waitFor('the new one is listed', () => seen.catalog.upstream('paginated') !== undefined);
    await waitFor('the old one is stopped', () => gone?.status.state === 'stopped');
    expect(seen.catalog.upstream('tool-error')).toBeUndefined();
    expect(await call('search_tools', { query: 'x', server: 'tool-error' })).toContain('unknown_server');
    await waitFor('a notice', () => notifications.includes('notifications/tools/list_changed'));
    expect(names(await ask('tools/list'))).toHaveLength(3);
  });

  it('puts one server through as it is', async () => {
    const { ask } = await serve([fixtureConfig('echo'), fixtureConfig('tool-error')], {}, 'echo');
    expect(names(await ask('tools/list'))).toEqual([
      'echo',
      'show_request',
      'show_initialize',
      'show_process',
    ]);
  });

  it('refuses to put a server through that is not configured', async () => {
    const proxy = new ToolProxy({ config: configOf([]), log: createLogger('silent'), version: '1' });
    const [, theirs] = createLinkedLinks();
    await expect(proxy.serve(theirs, 'nope')).rejects.toMatchObject({
      message: expect.stringContaining('"nope"'),
    });
  });

  it('ends its service when the client leaves, and stops every upstream when it is closed', async () => {
    const { proxy, client, served, state } = await serve([
      fixtureConfig('echo'),
      fixtureConfig('crash-on-call'),
    ]);
    await waitFor('both run', () => state('echo') === 'ready' && state('crash-on-call') === 'ready');
    await client.close();
    expect(await served).toBeInstanceOf(Error);
    await proxy.close();
    expect([state('echo'), state('crash-on-call')]).toEqual(['stopped', 'stopped']);
  });

  it('starts a server again that has crashed in a call, and the next call is answered', async () => {
    const { call, state } = await serve([fixtureConfig('crash-on-call')]);
    expect(await call('invoke_tool', { server: 'crash-on-call', name: 'crash' })).toMatch(
      /exited with code 7.*not repeated/,
    );
    expect(await call('invoke_tool', { server: 'crash-on-call', name: 'say' })).toContain('pid ');
    expect(state('crash-on-call')).toBe('ready');
  });
});
