import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { at, jsonOf, textOf } from '../helpers/message.ts';
import { resultText } from '../helpers/raw-client.ts';
import { startToolsift, type Toolsift, type ToolsiftOptions } from '../helpers/toolsift.ts';
import { waitFor, within } from '../helpers/wait-for.ts';

/** Starts sessions that see the same server and the same folder for sockets; what is left there fails the test. */
function sharing(server: string): (options?: Partial<ToolsiftOptions>) => Promise<Toolsift> {
  const folder = mkdtempSync(join(tmpdir(), 'ts-'));
  onTestFinished(() => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true });
    expect(files.filter((file) => !file.isDirectory()).map(({ name }) => name)).toEqual([]);
    rmSync(folder, { recursive: true });
  });
  // What a server is started with decides whether it is the same one.
  const entry = { ...fixture(server, [], { env: { TOOLSIFT_TEST_RECEIVED: '' } }), share: true };
  // Sessions of one user have one data folder, and so one secret that keys are made with.
  const data = mkdtempSync(join(tmpdir(), 'ts-data-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const env = { XDG_RUNTIME_DIR: folder, TMPDIR: folder, XDG_DATA_HOME: data };
  return (options) => startToolsift({ servers: { it: entry }, env, ...options });
}

function pidsOf(sessions: readonly Toolsift[]): number[] {
  return sessions.flatMap(({ pids }) => pids);
}

describe('sessions that share a server', () => {
  it('have one process, and each the answers to its own calls', async () => {
    const start = sharing('slow');
    const [one, two] = [await start(), await start()];
    expect(pidsOf([one, two])).toHaveLength(1);
    const keys = Array.from({ length: 12 }, (_, number) => `key-${number}`);
    const sessionOf = (number: number) => (number % 2 === 0 ? one : two);
    const held = keys.map((key, number) => sessionOf(number).invoke('it', 'hold', { key }));
    // Each session's messages arrive in order, so the server holds them all now; the other session releases.
    await Promise.all([one.invoke('it', 'say'), two.invoke('it', 'say')]);
    for (const [number, key] of [...keys.entries()].toReversed())
      await sessionOf(number + 1).invoke('it', 'release', { key });
    expect((await Promise.all(held)).map(textOf)).toEqual(keys.map((key) => `released ${key}`));
  });

  it('see their own progress', async () => {
    const start = sharing('progress');
    const sessions = [await start(), await start()];
    const answers = sessions.map((session, number) =>
      session.invoke('it', 'count', { steps: 3, tag: `s${number}` }, { meta: { progressToken: 'same' } }),
    );
    await Promise.all(answers);
    for (const [number, { client }] of sessions.entries()) {
      const progress = client.notifications.filter(({ method }) => method === 'notifications/progress');
      expect(progress.map(({ params }) => at(params, 'message'))).toEqual(
        [1, 2, 3].map((n) => `s${number}-${n}`),
      );
      expect(new Set(progress.map(({ params }) => at(params, 'progressToken')))).toEqual(new Set(['same']));
    }
  });

  it('cancel their own calls', async () => {
    const start = sharing('slow');
    const [one, two] = [await start(), await start()];
    const kept = one.invoke('it', 'hold', { key: 'kept' }, { id: 77 });
    void two.invoke('it', 'hold', { key: 'cancelled' }, { id: 77 }).catch(() => {});
    await two.invoke('it', 'say');
    two.client.notify('notifications/cancelled', { requestId: 77, reason: 'no need' });
    const cancelled = await waitFor('the server hears of it', async () => {
      const list = jsonOf(await one.invoke('it', 'show_cancelled'));
      return Array.isArray(list) && list.length > 0 && list;
    });
    expect(cancelled).toHaveLength(1);
    await two.invoke('it', 'release', { key: 'kept' });
    expect(textOf(await kept)).toBe('released kept');
  });

  it('are asked what their own calls are about', async () => {
    const start = sharing('asks-client');
    const capabilities = { elicitation: {} };
    const sessions = [await start({ capabilities }), await start({ capabilities })];
    expect(pidsOf(sessions)).toHaveLength(1);
    for (const [number, session] of sessions.entries()) {
      session.client.handle('elicitation/create', () => resultText({ action: 'accept', session: number }));
      const args = { method: 'elicitation/create', params: '{"message":"which?"}' };
      expect(textOf(await session.invoke('it', 'ask', args))).toContain(`"session":${number}`);
    }
    for (const { client } of sessions) expect(client.requests).toHaveLength(1);
  });

  it('have one process when twenty start at once', { timeout: 90_000 }, async () => {
    const start = sharing('crash-on-call');
    const sessions = await Promise.all(Array.from({ length: 20 }, () => start({ awaits: [] })));
    const limitMs = 60_000;
    const answers = await Promise.all(sessions.map((one) => one.invoke('it', 'say', {}, { limitMs })));
    expect(new Set(answers.map(textOf))).toEqual(new Set([`pid ${pidsOf(sessions)[0]}`]));
    expect(pidsOf(sessions)).toHaveLength(1);
  });
});

describe('sessions whose shared server ends', () => {
  it('since its owner was killed: their calls fail at once and say so, and the next work', async () => {
    const start = sharing('slow');
    const [owner, guest] = [await start(), await start()];
    expect(owner.pids).toHaveLength(1);
    const call = guest.invoke('it', 'work');
    await guest.invoke('it', 'say');
    owner.client.kill('SIGKILL');
    const answer = await within('the call fails', 1_000, call);
    expect(answer.result).toMatchObject({ isError: true });
    expect(textOf(answer)).toContain('ran this shared server ended');
    expect(textOf(await guest.invoke('it', 'say'))).toBe('called say');
    expect(guest.pids).toHaveLength(1);
  });

  it('since its owner left: the others go on with a new one', async () => {
    const start = sharing('slow');
    const sessions = [await start(), await start(), await start()];
    const [owner, ...guests] = sessions;
    await owner?.client.close();
    const answers = await Promise.all(guests.map((guest) => guest.invoke('it', 'say')));
    expect(answers.map(textOf)).toEqual(['called say', 'called say']);
    expect(pidsOf(guests)).toHaveLength(1);
  });

  it('since it crashed: all learn how', async () => {
    const start = sharing('crash-on-call');
    const [one, two] = [await start(), await start()];
    const held = one.invoke('it', 'hold');
    await one.invoke('it', 'say');
    const crashed = two.invoke('it', 'crash');
    for (const answer of await Promise.all([held, crashed])) {
      expect(answer.result).toMatchObject({ isError: true });
      for (const word of ['7', 'panic: index out of range']) expect(textOf(answer)).toContain(word);
    }
    const pids = (await Promise.all([one, two].map((session) => session.invoke('it', 'say')))).map(textOf);
    expect(new Set(pids).size).toBe(1);
  });
});
