import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serverFor } from '../fixtures/http/remote.ts';
import { fixture } from '../helpers/fixture.ts';
import { at, jsonOf, textOf } from '../helpers/message.ts';
import type { Toolsift } from '../helpers/toolsift.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { type Entry, userHome } from './user-home.ts';

const inState = (session: Toolsift, server: string, state: string) =>
  waitFor(`${server} is ${state}`, async () => at(await session.server(server), 'state') === state);

describe('an entry that cannot work', () => {
  const entries: [string, Entry, string][] = [
    ['a folder that is none', fixture('echo', [], { cwd: './no-such-folder' }), 'no-such-folder'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference to a variable
    ['a variable that is not set', fixture('echo', [], { env: { KEY: '${NO_SUCH_KEY}' } }), 'NO_SUCH_KEY'],
    ['a command that is none', { command: 'no-such-command' }, 'on PATH (/nowhere:'],
    ['a command that is a folder', { command: join(import.meta.dirname, 'x', '..') }, 'not'],
  ];
  it.each(entries)('for %s is told with its reason and not tried without end', async (_, entry, reason) => {
    const home = userHome({ it: entry });
    const path = `/nowhere:${process.env.PATH}`;
    const session = await home.session({ env: { PATH: path } });
    await inState(session, 'it', 'failed');
    expect(await session.server('it')).toMatchObject({ reason: expect.stringContaining(reason) });
    const answer = await session.invoke('it', 'echo');
    expect(at(answer.result, '_meta', 'toolsift/error')).toBe('server_config_invalid');
    expect(textOf(answer)).toContain(reason);
    expect(textOf(await session.call('search_tools', { query: 'echo' }))).toContain(
      '"server":"it","state":"failed"',
    );
    expect(session.pids).toEqual([]);
  });
});

describe('a remote server that wants a login', () => {
  it('is told as such, and not asked again and again', async () => {
    const remote = await serverFor({
      faults: (_request, response) => {
        response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
        return true;
      },
    });
    const home = userHome({
      remote: { url: remote.url, type: 'http', headers: { 'X-Key': 'k-very-secret' } },
    });
    const session = await home.session();
    await inState(session, 'remote', 'needs_login');
    const asked = remote.requests.length;
    for (const _ of [1, 2, 3]) {
      const answer = await session.invoke('remote', 'do');
      expect(at(answer.result, '_meta', 'toolsift/error')).toBe('upstream_needs_login');
    }
    expect(remote.requests).toHaveLength(asked);
    expect(session.client.stderr).not.toContain('k-very-secret');
  });
});

describe('the list of a server', () => {
  it.each(['error', 'empty'])('that comes out as %s at first is looked at again', async (way) => {
    const home = userHome({ it: fixture('fails-first-list', [way]) });
    const session = await home.session({ awaits: ['it'] });
    expect(textOf(await session.invoke('it', 'late_tool'))).toBe('called late_tool');
    await waitFor('it is kept', () => home.cacheFiles().length === 1);
    expect(home.received('it', 'tools/list')).toHaveLength(2);
  });

  it('that is never answered holds up nothing else', async () => {
    const home = userHome({ it: fixture('fails-first-list', ['never']), echo: fixture('echo') });
    const session = await home.session({ awaits: ['echo'] });
    expect(textOf(await session.invoke('echo', 'echo', { a: 1 }))).toBe('{"a":1}');
    expect(await session.client.close()).toEqual({ code: 0, signal: null });
  });

  it('that is announced as changed two hundred times is read a few times, and the client hears of no change', async () => {
    const home = userHome({ it: fixture('changing-tools') }, { pinned: ['it/first'] });
    const session = await home.session({ awaits: ['it'] });
    // The pin has come with the first reading.
    await session.client.notified('notifications/tools/list_changed');
    const told = () =>
      session.client.notifications.filter(({ method }) => method === 'notifications/tools/list_changed')
        .length;
    const before = { read: home.received('it', 'tools/list').length, told: told() };
    await Promise.all(Array.from({ length: 4 }, () => session.invoke('it', 'announce', { times: 50 })));
    await session.invoke('it', 'add', { name: 'late', times: 50 });
    await waitFor('the change is read', async () => {
      const found = jsonOf(await session.call('search_tools', { query: 'late' }));
      return at(found, 'tools', 0, 'name') === 'late';
    });
    expect(home.received('it', 'tools/list').length - before.read).toBeLessThanOrEqual(4);
    expect(told(), 'no pinned tool has changed').toBe(before.told);
    await session.invoke('it', 'remove', { name: 'first', times: 50 });
    await waitFor('it is announced', () => told() > before.told);
    expect(await session.toolNames()).not.toContain('first');
    expect(told()).toBe(before.told + 1);
  });
});
