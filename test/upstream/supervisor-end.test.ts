import { describe, expect, it } from 'vitest';
import { ToolsiftError } from '../../src/errors.ts';
import { settled } from './fake-clock.ts';
import { exited, supervise } from './supervised.ts';

/** What a promise came to so far. */
function fateOf(promise: Promise<unknown>): { value?: unknown; error?: ToolsiftError } {
  const fate: { value?: unknown; error?: ToolsiftError } = {};
  promise.then(
    (value) => {
      fate.value = value;
    },
    (error: ToolsiftError) => {
      fate.error = error;
    },
  );
  return fate;
}

const STOPPED = 'was stopped: toolsift is leaving, or its entry was removed or changed';

describe('a supervisor that is stopped', () => {
  it('closes its connection and refuses all further use', async () => {
    const { supervisor, clock, start, starts, states } = supervise();
    void supervisor.connect();
    const connection = await start().succeed();
    await supervisor.stop();
    expect([connection.closings, supervisor.connection]).toEqual([1, undefined]);
    expect(states).toEqual(['starting', 'ready', 'stopping', 'stopped']);
    await start().end();
    await expect(supervisor.connect()).rejects.toMatchObject({ code: 'upstream_unavailable' });
    await clock.pass(10_000_000);
    expect([starts.length, supervisor.status.state]).toEqual([1, 'stopped']);
  });

  it('breaks off a start, and whoever waits for it is told', async () => {
    const { supervisor, start, clock } = supervise();
    const fate = fateOf(supervisor.connect());
    await supervisor.stop();
    await settled();
    expect(start().signal.aborted).toBe(true);
    expect(fate.error).toMatchObject({ code: 'upstream_unavailable', message: STOPPED });
    expect([supervisor.status.state, clock.timers]).toEqual(['stopped', 0]);
  });

  it('forgets a scheduled restart, and whoever waits for that is told', async () => {
    const { supervisor, clock, start, starts } = supervise();
    supervisor.connect().catch(() => {});
    await start().fail(exited());
    const fate = fateOf(supervisor.connect());
    await supervisor.stop();
    await settled();
    expect(fate.error?.message).toBe(STOPPED);
    await clock.pass(10_000_000);
    expect(starts).toHaveLength(1);
  });
});

describe('a supervisor that rests', () => {
  it('closes its connection and starts a new one with the next use', async () => {
    const { supervisor, start, starts, states } = supervise();
    void supervisor.connect();
    const first = await start().succeed();
    await Promise.all([supervisor.rest(), supervisor.rest()]);
    expect([first.closings, states.slice(2)]).toEqual([1, ['stopping', 'idle']]);
    void supervisor.connect();
    await start().succeed();
    expect(starts).toHaveLength(2);
  });

  it('forgets what failed, be it parked or on its way', async () => {
    for (const code of ['upstream_needs_login', 'upstream_exited'] as const) {
      const { supervisor, start, clock } = supervise();
      supervisor.connect().catch(() => {});
      await start().fail(new ToolsiftError(code, 'no'));
      await supervisor.rest();
      expect([supervisor.status.state, clock.timers]).toEqual(['idle', 0]);
      void supervisor.connect();
      expect(await start(1).succeed()).toBe(supervisor.connection);
    }
  });
});
