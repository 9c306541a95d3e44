import { describe, expect, it } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { at, textOf } from '../helpers/message.ts';
import { isAlive } from '../helpers/processes.ts';
import type { Toolsift } from '../helpers/toolsift.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { userHome } from './user-home.ts';

const echo = fixture('echo');
const slow = fixture('slow');

const says = ({ client }: Toolsift, text: string) =>
  waitFor(`the log says "${text}"`, () => client.stderr.includes(text));
const find = async (session: Toolsift, query: string) =>
  textOf(await session.call('search_tools', { query }));

describe('an edit of toolsift.json while a session runs', () => {
  it('adds, changes and removes servers, and calls in flight of the others go on', async () => {
    const home = userHome({ slow, old: echo });
    const session = await home.session({ awaits: ['slow', 'old'] });
    const [slowPid, oldPid] = await pidsByServer(session, 'slow', 'old');
    const held = session.invoke('slow', 'hold', { key: 'k' });
    await waitFor('the call is held', () => home.received('slow', 'tools/call').length === 1);

    home.write({ slow, fresh: fixture('odd-names') });
    await session.listed('fresh');
    await waitFor('the removed one is stopped', () => !isAlive(oldPid ?? 0));
    expect(await session.server('old')).toBeUndefined();
    const gone = await session.invoke('old', 'echo');
    expect(at(gone.result, '_meta', 'toolsift/error')).toBe('unknown_server');
    expect(await find(session, 'repeats the arguments')).not.toContain('"server":"old"');

    await session.invoke('slow', 'release', { key: 'k' });
    expect(textOf(await held)).toBe('released k');
    expect(isAlive(slowPid ?? 0)).toBe(true);
  });

  it('starts a server anew whose environment it changes, and fails its calls with the reason', async () => {
    const home = userHome({ it: fixture('echo', [], { env: { REGION: 'eu' } }), other: slow });
    const session = await home.session({ awaits: ['it', 'other'] });
    const region = async () => textOf(await session.invoke('it', 'show_process', { names: ['REGION'] }));
    expect(await region()).toContain('"REGION":"eu"');
    home.write({ it: fixture('echo', [], { env: { REGION: 'us' } }), other: slow });
    await says(session, 'again: 2 servers');
    expect(await region()).toContain('"REGION":"us"');
    expect(session.pids).toHaveLength(3);

    const held = session.invoke('other', 'work');
    await waitFor('the call is held', () => home.received('other', 'tools/call').length === 1);
    home.write({ it: fixture('echo'), other: { ...slow, args: [...(slow.args ?? []), '--more'] } });
    const failed = await held;
    expect(at(failed.result, '_meta', 'toolsift/error')).toMatch(/^upstream_/);
    expect(textOf(await session.invoke('other', 'say'))).toBe('called say');
  });

  it('announces pins that it adds and takes away', async () => {
    const home = userHome({ it: echo });
    const session = await home.session({ awaits: ['it'] });
    home.write({ it: echo }, { pinned: ['it/echo'] });
    await session.client.notified('notifications/tools/list_changed');
    expect(await session.toolNames()).toContain('echo');
    home.write({ it: echo });
    await waitFor('the pin is gone', async () => !(await session.toolNames()).includes('echo'));
    expect(session.pids).toHaveLength(1);
  });

  it('that cannot be used is told of, with what is wrong, and changes nothing', async () => {
    const home = userHome({ it: echo });
    const session = await home.session({ awaits: ['it'] });
    home.writeText('{ "servers": { "it": ');
    await says(session, 'has changed but cannot be used, so what was read before stays');
    expect(textOf(await session.invoke('it', 'echo', { a: 1 }))).toBe('{"a":1}');
    home.write({ it: echo, more: slow });
    await session.listed('more');
    expect(session.pids).toHaveLength(2);
  });

  it('can be made by add-server and remove-server', async () => {
    const home = userHome({ it: echo });
    const session = await home.session({ awaits: ['it'] });
    const { command, args = [] } = fixture('odd-names');
    const added = await home.run('add-server', 'fresh', '--', command, ...args);
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('Added "fresh"') });
    await session.listed('fresh');
    const pids = session.pids;
    expect((await home.run('remove-server', 'fresh')).code).toBe(0);
    await waitFor('it is gone', async () => (await session.server('fresh')) === undefined);
    await waitFor('it is stopped', () => pids.filter(isAlive).length === 1);
    expect(textOf(await session.invoke('it', 'echo', { a: 1 }))).toBe('{"a":1}');
  });

  it('mends a server that could not be started', async () => {
    const home = userHome({ it: { command: 'no-such-command-anywhere' } });
    const session = await home.session();
    await waitFor('it is parked', async () => at(await session.server('it'), 'state') === 'failed');
    home.write({ it: echo });
    await session.listed('it');
    expect(textOf(await session.invoke('it', 'echo', { a: 1 }))).toBe('{"a":1}');
  });

  it('made twenty times loses no call of the servers it leaves alone', async () => {
    const home = userHome({ calm: echo, edited: slow });
    const session = await home.session({ awaits: ['calm', 'edited'] });
    const [calmPid] = await pidsByServer(session, 'calm');
    let isEditing = true;
    const answers: string[] = [];
    const caller = async () => {
      while (isEditing) {
        const n = answers.length;
        answers.push(`${n} ${textOf(await session.invoke('calm', 'echo', { n }))}`);
      }
    };
    const callers = [caller(), caller()];
    for (let edit = 0; edit < 20; edit++) {
      // Every second one is read; those between are overtaken by the next.
      home.write({ calm: echo, [`edited-${edit}`]: { ...slow, disabled: edit % 10 !== 0 } });
      if (edit % 2 === 0) await waitFor('it is read', () => readings(session) > edit / 2);
    }
    isEditing = false;
    await Promise.all(callers);
    expect(answers.length).toBeGreaterThan(100);
    for (const answer of answers) expect(answer).toMatch(/^(\d+) \{"n":\1\}$/);
    expect(isAlive(calmPid ?? 0)).toBe(true);
    expect(home.starts('calm')).toBe(1);
  });
});

function readings({ client }: Toolsift): number {
  return client.stderr.split('again: 2 servers').length - 1;
}

/** The processes of servers that were listed when these were. */
async function pidsByServer(session: Toolsift, ...servers: string[]): Promise<number[]> {
  await session.listed(...servers);
  const { readFileSync } = await import('node:fs');
  const nameOf = (pid: number) =>
    /received-([^.]*)\.jsonl/.exec(readFileSync(`/proc/${pid}/environ`, 'latin1'))?.[1];
  const pids = new Map(session.pids.filter(isAlive).map((pid) => [nameOf(pid), pid]));
  return servers.map((server) => pids.get(server) ?? -1);
}
