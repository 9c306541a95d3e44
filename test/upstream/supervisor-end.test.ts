import { describe, expect, it } from 'vitest';
import { ToolsiftError } from '../../src/errors.ts';
import { settled } from './fake-clock.ts';
import { exited, PARAMS, POLICY, supervise } from './supervised.ts';

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
    void supervisor.connect(PARAMS);
    const connection = await start().succeed();
    await supervisor.stop();
    expect([connection.closings, supervisor.connection]).toEqual([1, undefined]);
    expect(states).toEqual(['starting', 'ready', 'stopping', 'stopped']);
    await start().end();
    await expect(supervisor.connect(PARAMS)).rejects.toMatchObject({ code: 'upstream_unavailable' });
    await clock.pass(10_000_000);
    expect([starts.length, supervisor.status.state]).toEqual([1, 'stopped']);
  });

  it('breaks off a start, and whoever waits for it is told', async () => {
    const { supervisor, start, clock } = supervise();
    const fate = fateOf(supervisor.connect(PARAMS));
    await supervisor.stop();
    await settled();
    expect(start().signal.aborted).toBe(true);
    expect(fate.error).toMatchObject({ code: 'upstream_unavailable', message: STOPPED });
    expect([supervisor.status.state, clock.timers]).toEqual(['stopped', 0]);
  });

  it('forgets a scheduled restart, and whoever waits for that is told', async () => {
    const { supervisor, clock, start, starts } = supervise();
    supervisor.connect(PARAMS).catch(() => {});
    await start().fail(exited());
    const fate = fateOf(supervisor.connect(PARAMS));
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
    void supervisor.connect(PARAMS);
    const first = await start().succeed();
    await Promise.all([supervisor.rest(), supervisor.rest()]);
    expect([first.closings, states.slice(2)]).toEqual([1, ['stopping', 'idle']]);
    void supervisor.connect(PARAMS);
    await start().succeed();
    expect(starts).toHaveLength(2);
  });

  it('forgets what failed, be it parked or on its way', async () => {
    for (const code of ['upstream_needs_login', 'upstream_exited'] as const) {
      const { supervisor, start, clock } = supervise();
      supervisor.connect(PARAMS).catch(() => {});
      await start().fail(new ToolsiftError(code, 'no'));
      await supervisor.rest();
      expect([supervisor.status.state, clock.timers]).toEqual(['idle', 0]);
      void supervisor.connect(PARAMS);
      expect(await start(1).succeed()).toBe(supervisor.connection);
    }
  });
});

describe('a supervisor that is told of a login', () => {
  const refused = new ToolsiftError('upstream_needs_login', 'run: toolsift login x');

  it('starts again at once what is wanted unasked', async () => {
    const { supervisor, start, starts, states } = supervise();
    supervisor.connect(PARAMS).catch(() => {});
    await start().fail(refused);
    supervisor.loggedIn();
    expect(await start(1).succeed()).toBe(supervisor.connection);
    expect([starts.length, states.slice(1)]).toEqual([2, ['needs_login', 'idle', 'starting', 'ready']]);
  });

  it('leaves the rest to the next use, and notices nothing where no login was missing', async () => {
    const { supervisor, start, starts } = supervise({ isWantedUnasked: () => false });
    supervisor.connect(PARAMS).catch(() => {});
    await start().fail(refused);
    supervisor.loggedIn();
    expect([supervisor.status.state, starts.length]).toEqual(['idle', 1]);
    void supervisor.connect(PARAMS);
    const connection = await start(1).succeed();
    supervisor.loggedIn();
    expect(supervisor.connection).toBe(connection);
  });
});

describe('a supervisor that starts again', () => {
  it('keeps saying why it has to, until it is ready', async () => {
    const { supervisor, clock, start } = supervise();
    supervisor.connect(PARAMS).catch(() => {});
    expect(supervisor.status.reason).toBe('has not answered initialize yet');
    await start().fail(exited(3));
    await clock.pass(1000);
    expect(supervisor.status).toMatchObject({
      state: 'starting',
      reason: 'exited with code 3; it is being started again',
    });
    await start().succeed();
    expect(supervisor.status).not.toHaveProperty('reason');
  });

  it('asks as the client did that it was last started for', async () => {
    const asked: string[] = [];
    const { supervisor, clock } = supervise({
      policy: { ...POLICY, intensity: 9 },
      open: async ({ initializeParams }) => {
        asked.push(initializeParams);
        throw exited();
      },
    });
    await supervisor.connect('{"one":1}').catch(() => {});
    await clock.pass(1000 + 2000);
    // The next restart is far: this call is a try of its own.
    await clock.pass(1000);
    await supervisor.connect('{"two":2}').catch(() => {});
    await clock.pass(8000);
    expect(asked).toEqual(['{"one":1}', '{"one":1}', '{"one":1}', '{"two":2}', '{"two":2}']);
  });
});

describe('a start that is broken off by a rest', () => {
  it('fails for whoever waits for it, and the next use starts anew', async () => {
    const { supervisor, start, states } = supervise();
    const fate = fateOf(supervisor.connect(PARAMS));
    await supervisor.rest();
    expect(fate.error?.message).toBe('was restarted while it was starting');
    expect([start().signal.aborted, states.at(-1)]).toEqual([true, 'idle']);
    void supervisor.connect(PARAMS);
    expect(await start(1).succeed()).toBe(supervisor.connection);
  });
});
