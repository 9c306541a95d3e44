import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { at, textOf } from '../helpers/message.ts';
import { isAlive } from '../helpers/processes.ts';
import { waitFor, within } from '../helpers/wait-for.ts';
import { type Entry, userHome } from './user-home.ts';

const tells: Entry = { ...fixture('says-on-stderr'), log: true };

describe('toolsift refresh', () => {
  it('reads what servers offer anew, for the next session, and stops them', async () => {
    const home = userHome();
    const starts = join(home.folder, 'starts.jsonl');
    const plan = (tools: string[]) => writeFileSync(starts, JSON.stringify({ tools }));
    plan(['old']);
    home.write({ it: fixture('per-start', [starts]), off: fixture('echo', [], { disabled: true }) });
    await home.warmUp('it');
    plan(['fresh', 'more']);
    expect(await home.run('refresh')).toMatchObject({ code: 0, stdout: 'it: 2 tools' });
    const session = await home.session();
    expect(textOf(await session.call('search_tools', { query: 'fresh' }))).toContain('"name":"fresh"');
    expect(session.pids).toEqual([]);
  });

  it('does so for every kind of client that there has been', async () => {
    const home = userHome({ it: fixture('echo') });
    await home.warmUp('it');
    const other = await home.session({ capabilities: { elicitation: {} } });
    await other.invoke('it', 'echo');
    await waitFor('it is known for both', () => home.cacheFiles().length === 2);
    await other.client.close();
    expect((await home.run('refresh', 'it')).code).toBe(0);
    const asked = home.received('it', 'initialize').slice(-2);
    const kinds = asked.map(({ params }) => Object.keys(Object(at(params, 'capabilities'))).join());
    expect(kinds.toSorted()).toEqual(['', 'elicitation']);
  });

  it('says which could not be read and why, and reads the others', async () => {
    const home = userHome({ broken: fixture('crash-on-start'), it: fixture('echo') });
    const result = await home.run('refresh');
    expect(result.code).toBe(1);
    expect(result.stdout).toMatch(/^broken: failed: .*code 3.*cannot open database file\nit: 4 tools$/);
  });

  // A working directory that no entry names is that of whoever starts toolsift.
  it('is for sessions in other folders too', async () => {
    const home = userHome({ it: fixture('echo') });
    const elsewhere = join(home.folder, 'elsewhere');
    mkdirSync(elsewhere);
    expect((await home.runIn(elsewhere, 'refresh')).code).toBe(0);
    const session = await home.session();
    expect(await session.server('it')).toMatchObject({ tools: 4, state: 'idle' });
  });

  // The second look at its list would show a tool.
  it('waits for a server whose list fails at first', async () => {
    const home = userHome({ it: fixture('fails-first-list', ['error']) });
    expect(await home.run('refresh')).toMatchObject({ code: 0, stdout: 'it: 1 tools' });
  });

  it('names the servers there are when it is asked for another', async () => {
    const home = userHome({ it: fixture('echo') });
    const result = await home.run('refresh', 'ti');
    expect([result.code, result.stderr]).toEqual([2, expect.stringMatching(/no server "ti".*it/)]);
  });
});

describe('toolsift restart', () => {
  it('has every running session start the server afresh with its next call', async () => {
    const home = userHome({ it: fixture('crash-on-call'), other: fixture('echo') });
    const sessions = [await home.session({ awaits: ['it', 'other'] }), await home.session()];
    for (const session of sessions) await session.invoke('it', 'say');
    const before = sessions.flatMap(({ pids }) => pids);
    const result = await home.run('restart', 'it');
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('restart "it"') });
    for (const session of sessions) {
      await waitFor('it rests', async () => at(await session.server('it'), 'state') === 'idle');
      const said = textOf(await session.invoke('it', 'say'));
      expect(before.map((pid) => `pid ${pid}`)).not.toContain(said);
    }
    expect(before.filter(isAlive), 'the server that nobody asked to restart').toHaveLength(1);
  });

  it('brings back a server that waits after failures', async () => {
    const home = userHome();
    const starts = join(home.folder, 'starts.jsonl');
    writeFileSync(starts, '{"exit":1}');
    home.write({ it: fixture('per-start', [starts]) });
    const session = await home.session();
    await waitFor('its pauses are long', () => session.pids.length === 3);
    writeFileSync(starts, '{"tools":["a"]}');
    await home.run('restart', 'it');
    await waitFor('it is asked to', () => session.client.stderr.includes('restarting server "it"'));
    expect(textOf(await session.invoke('it', 'a'))).toContain('a of ');
  });
});

describe('toolsift logs', () => {
  it('shows what a server wrote to stderr, where that is kept, and what it goes on to write', async () => {
    const home = userHome({ it: tells });
    const session = await home.session({ awaits: ['it'] });
    await session.invoke('it', 'say', { line: 'first words' });
    expect((await home.run('logs', 'it')).stdout).toBe('it has started\nfirst words');
    const following = home.command(['logs', 'it', '-f']);
    await waitFor('what there is', () => following.junk.includes('first words'));
    await waitFor('what is new', async () => {
      await session.invoke('it', 'say', { line: 'more words' });
      return following.junk.includes('more words');
    });
    expect(following.junk.slice(0, 3)).toEqual(['it has started', 'first words', 'more words']);
    following.kill('SIGINT');
    await within('it ends', 3_000, following.exited);
  });

  it('shows a log that has been begun anew', async () => {
    const home = userHome({ it: tells });
    const session = await home.session({ awaits: ['it'] });
    const following = home.command(['logs', 'it', '-f']);
    await waitFor('what there is', () => following.junk.includes('it has started'));
    await session.invoke('it', 'say', { line: 'long '.repeat(200), times: 1200 });
    await waitFor('the new part', async () => {
      await session.invoke('it', 'say', { line: 'after that' });
      return following.junk.includes('after that');
    });
    expect((await home.run('logs', 'it')).stdout.match(/^long /gm)).toHaveLength(1200);
  });

  it('says how to keep one where none is kept, and that a server is unknown', async () => {
    const home = userHome({ it: fixture('echo') });
    await home.warmUp('it');
    const none = await home.run('logs', 'it');
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('"log": true')]);
    const unknown = await home.run('logs', 'at');
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('no server "at"')]);
  });
});
