import { describe, expect, it } from 'vitest';
import type { SessionRecord } from '../../src/downstream/session-record.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { proxyOn, SessionClient } from './session-clients.ts';

const SERVERS = ['logging', 'resources-prompts', 'asks-client'];

/** What is left of a session when it was written down and read again. */
function writtenDown(client: SessionClient): SessionRecord {
  const text = JSON.stringify(client.session.record);
  return JSON.parse(text) as SessionRecord;
}

describe('a session that was written down', () => {
  it('goes on in another process as if nothing had been: kind, log level, subscriptions, questions', async () => {
    const first = proxyOn(SERVERS);
    const before = new SessionClient(first.proxy, 'before');
    await before.initialize('{"elicitation":{}}');
    await before.ask('logging/setLevel', '{"level":"error"}');
    await waitFor('the resources are listed', async () =>
      (await before.ask('resources/list')).includes('"uri"'),
    );
    const { resources } = JSON.parse(await before.ask('resources/list')) as { resources: { uri: string }[] };
    const uri = resources[0]?.uri ?? '';
    await before.ask('resources/subscribe', JSON.stringify({ uri }));
    const record = writtenDown(before);
    await before.close();
    await first.proxy.close();

    const second = proxyOn(SERVERS);
    const after = new SessionClient(second.proxy, 'after', record);
    await waitFor('it works', async () => (await after.invoke('logging', 'show_level')) === 'error');
    expect(
      await after.invoke('asks-client', 'ask', { method: 'elicitation/create', params: '{"message":"?"}' }),
    ).toContain('"answeredBy":"after"');
    expect(after.session.record).toEqual(record);
    expect(record).toMatchObject({
      declared: ['elicitation'],
      isInitialized: true,
      logLevel: '{"level":"error"}',
      subscriptions: [[uri, { server: 'resources-prompts', uri }]],
    });
  }, 60_000);
});

describe('a server with "perSession"', () => {
  it('has a process for every session, which ends with it; others are shared', async () => {
    const { proxy, running } = proxyOn(['echo', 'changing-tools'], {}, ['changing-tools']);
    const [one, two] = [new SessionClient(proxy, 'one'), new SessionClient(proxy, 'two')];
    for (const client of [one, two]) {
      await client.initialize('{}');
      expect(await client.invoke('changing-tools', 'first')).toBe('called first');
      expect(await client.invoke('echo', 'echo', { word: 'x' })).toBe('{"word":"x"}');
    }
    expect([running('changing-tools').length, running('echo').length]).toEqual([2, 1]);
    await one.close();
    await waitFor('its process is gone', () => running('changing-tools').length === 1);
    expect(await two.invoke('changing-tools', 'first')).toBe('called first');
    expect(running('echo')).toHaveLength(1);
  }, 60_000);

  it('is restarted for all sessions, and taken over by an edit of its entry', async () => {
    const { proxy, config, running } = proxyOn(['echo'], {}, ['echo']);
    const [one, two] = [new SessionClient(proxy, 'one'), new SessionClient(proxy, 'two')];
    for (const client of [one, two]) {
      await client.initialize('{}');
      await client.invoke('echo', 'echo');
    }
    const before = running('echo');
    await proxy.restart('echo');
    for (const client of [one, two]) await client.invoke('echo', 'echo');
    const after = running('echo');
    expect([before.length, after.length]).toEqual([2, 2]);
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
    const servers = [...config.servers.values()].map((server) => ({ ...server, isPerSession: false }));
    proxy.applyConfig({ ...config, servers: new Map(servers.map((server) => [server.name, server])) });
    for (const client of [one, two]) await client.invoke('echo', 'echo');
    await waitFor('they share one', () => running('echo').length === 1);
  }, 60_000);
});

describe('a setting that is edited', () => {
  it('counts for running sessions: the longest message, and how search ranks', async () => {
    const { proxy, config } = proxyOn(['echo']);
    const client = new SessionClient(proxy, 'one');
    await client.initialize('{}');
    const word = 'x'.repeat(5000);
    expect(await client.invoke('echo', 'echo', { word })).toContain(word);
    proxy.applyConfig({ ...config, maxMessageBytes: 4000, search: { mode: 'words', maxTokens: 4000 } });
    expect(await client.invoke('echo', 'echo', { word })).toMatch(/above|more than|limit/);
    const search = (query: string) =>
      client.ask('tools/call', JSON.stringify({ name: 'search_tools', arguments: { query } }));
    expect(await search('argumnts')).toContain(String.raw`\"tools\":[]`);
    proxy.applyConfig({ ...config, search: { mode: 'learned', maxTokens: 4000 } });
    expect(await search('argumnts')).toContain(String.raw`\"name\":\"echo\"`);
    expect(await client.invoke('echo', 'echo', { word })).toContain(word);
  }, 60_000);
});
