import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { at, textOf } from '../helpers/message.ts';
import { isAlive } from '../helpers/processes.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { type Entry, userHome } from './user-home.ts';

interface StartOf {
  readonly tools?: readonly string[];
  readonly delayMs?: number;
  readonly exit?: number;
}

/** A home with one server, `it`, that behaves at its starts as told. */
function homeWithStarts(starts: readonly StartOf[], more: Partial<Entry> = {}) {
  const home = userHome();
  const file = join(home.folder, 'starts.jsonl');
  const plan = (next: readonly StartOf[]) =>
    writeFileSync(file, next.map((start) => JSON.stringify(start)).join('\n'));
  plan(starts);
  home.write({ it: { ...fixture('per-start', [file]), ...more } });
  return { home, plan };
}

const LIST_CHANGED = 'notifications/tools/list_changed';

describe('a known server', () => {
  it('is started once by all who call it at a time', async () => {
    const { home } = homeWithStarts([{ tools: ['a', 'b'] }, { tools: ['a', 'b'], delayMs: 200 }]);
    await home.warmUp('it');
    const session = await home.session();
    const calls = ['a', 'b', 'a', 'b', 'a'].map((tool) => session.invoke('it', tool));
    const answers = (await Promise.all(calls)).map(textOf);
    expect(session.pids).toHaveLength(1);
    expect(answers).toEqual(['a', 'b', 'a', 'b', 'a'].map((tool) => `${tool} of ${session.pids[0]}`));
    expect(home.received('it', 'tools/call').map(({ params }) => at(params, 'name'))).toEqual([
      ...['a', 'b', 'a', 'b', 'a'],
    ]);
  });

  it('is listed and announced anew when its start finds other tools than were known', async () => {
    const { home } = homeWithStarts([{ tools: ['a', 'old'] }, { tools: ['a', 'fresh'] }]);
    const file = join(home.folder, 'starts.jsonl');
    home.write({ it: fixture('per-start', [file]) }, { pinned: ['it/old', 'it/fresh'] });
    await home.warmUp('it');
    const session = await home.session();
    expect(await session.toolNames()).toContain('old');
    await session.invoke('it', 'a');
    await session.client.notified(LIST_CHANGED);
    const names = await session.toolNames();
    expect(names).toContain('fresh');
    expect(names).not.toContain('old');
    expect(textOf(await session.call('search_tools', { query: 'fresh' }))).toContain('"name":"fresh"');
    const gone = await session.invoke('it', 'old');
    expect(at(gone.result, '_meta', 'toolsift/error')).toBe('unknown_tool');
  });

  it('announces nothing when its start finds what was known', async () => {
    const { home } = homeWithStarts([{ tools: ['a', 'b'] }]);
    await home.warmUp('it');
    const session = await home.session();
    await session.invoke('it', 'a');
    await waitFor('its lists are read', () => home.received('it', 'tools/list').length === 2);
    await session.invoke('it', 'b');
    expect(session.client.notifications.filter(({ method }) => method === LIST_CHANGED)).toEqual([]);
  });

  it('that cannot start fails the call with its reason, and the next call tries again', async () => {
    const { home } = homeWithStarts([{ tools: ['a'] }, { exit: 9 }, { tools: ['a'] }]);
    await home.warmUp('it');
    const session = await home.session();
    const failed = await session.invoke('it', 'a');
    expect(at(failed.result, '_meta', 'toolsift/error')).toBe('upstream_exited');
    for (const word of ['it', 'code 9', 'told to exit']) expect(textOf(failed)).toContain(word);
    expect(textOf(await session.call('search_tools', { query: 'a' }))).toContain('"name":"a"');
    expect(textOf(await session.invoke('it', 'a'))).toBe(`a of ${session.pids[1]}`);
  });

  it('that crashes in mid-call is started again by the next call, not by itself', async () => {
    const home = userHome({ crash: fixture('crash-on-call') });
    await home.warmUp('crash');
    const session = await home.session();
    const held = session.invoke('crash', 'hold');
    await waitFor('the call is held', () => home.received('crash', 'tools/call').length === 1);
    const crashed = await session.invoke('crash', 'crash', { signal: 'SIGKILL' });
    for (const answer of [crashed, await held]) {
      expect(at(answer.result, '_meta', 'toolsift/error')).toBe('upstream_exited');
      for (const word of ['SIGKILL', 'panic: index out of range', 'not repeated']) {
        expect(textOf(answer)).toContain(word);
      }
    }
    await waitFor('the pause is over', async () => at(await session.server('crash'), 'state') === 'idle');
    expect(session.pids).toHaveLength(1);
    expect(await session.server('crash')).toMatchObject({ reason: expect.stringContaining('SIGKILL') });
    expect(textOf(await session.invoke('crash', 'say'))).toBe(`pid ${session.pids[1]}`);
    expect(home.received('crash', 'tools/call'), 'no call is made twice').toHaveLength(3);
  });

  it('says that it is starting while a call waits for it', async () => {
    const { home } = homeWithStarts([{ tools: ['a'] }, { tools: ['a'], delayMs: 5_600 }]);
    await home.warmUp('it');
    const session = await home.session();
    const began = performance.now();
    const answer = session.invoke('it', 'a', {}, { meta: { progressToken: 'tok' } });
    const told = await session.client.notified('notifications/progress');
    expect(performance.now() - began).toBeGreaterThan(4_900);
    expect(told.params).toMatchObject({ progressToken: 'tok', message: 'starting server "it"' });
    expect(textOf(await answer)).toContain('a of ');
  });
});

describe('a server that is told to', () => {
  it('starts with the session when it is eager, and the others do not', async () => {
    const home = userHome({ eager: { ...fixture('echo'), start: 'eager' }, lazy: fixture('slow') });
    await home.warmUp('eager', 'lazy');
    const session = await home.session();
    await waitFor('the eager one runs', async () => at(await session.server('eager'), 'state') === 'ready');
    expect(await session.server('lazy')).toMatchObject({ state: 'idle' });
    expect(session.pids).toHaveLength(1);
  });

  it('stops when nothing is asked of it, never during a call, and the next call starts it', async () => {
    const home = userHome({ slow: { ...fixture('slow'), idleStopSeconds: 0.4 } });
    const session = await home.session({ awaits: ['slow'] });
    const [first = 0] = session.pids;
    await waitFor('it is stopped', async () => at(await session.server('slow'), 'state') === 'idle');
    expect(isAlive(first)).toBe(false);
    const held = session.invoke('slow', 'hold', { key: 'k' });
    await waitFor('it runs again', () => session.pids.length === 2);
    const begin = performance.now();
    await waitFor('more than an idle period of work', () => performance.now() - begin > 900);
    expect(isAlive(session.pids[1] ?? 0)).toBe(true);
    await session.invoke('slow', 'release', { key: 'k' });
    expect(textOf(await held)).toBe('released k');
    await waitFor('it is stopped again', () => !isAlive(session.pids[1] ?? 0));
    expect(session.pids).toHaveLength(2);
  });

  it('stop when idle starts again for a call that comes while it is being stopped', async () => {
    const home = userHome({ it: { ...fixture('slow-to-leave'), idleStopSeconds: 0.2 } });
    const session = await home.session({ awaits: ['it'] });
    await waitFor('it is being stopped', async () => at(await session.server('it'), 'state') === 'stopping');
    expect(textOf(await session.invoke('it', 'say'))).toBe('said');
    expect(session.pids.map(isAlive)).toEqual([false, true]);
  });
});

describe('what is known for too long', () => {
  it('is read anew in the background, one server at a time, and the servers are stopped again', async () => {
    const names = ['one', 'two', 'three'];
    const { home, plan } = homeWithStarts([{ tools: ['a'] }]);
    const file = join(home.folder, 'starts.jsonl');
    const entry: Entry = { ...fixture('per-start', [file]), refreshAfterHours: 0 };
    home.write(Object.fromEntries(names.map((name) => [name, entry])));
    await home.warmUp(...names);
    plan([{ tools: ['a', 'fresh'], delayMs: 150 }]);
    const session = await home.session();
    expect(session.pids).toEqual([]);
    let most = 0;
    await waitFor('all are read', () => {
      most = Math.max(most, session.pids.filter(isAlive).length);
      return session.pids.length === 3 && session.pids.every((pid) => !isAlive(pid));
    });
    expect(most).toBe(1);
    const found = textOf(await session.call('search_tools', { query: 'fresh', k: 9 }));
    for (const name of names) expect(found).toContain(`"server":"${name}","name":"fresh"`);
  });
});
