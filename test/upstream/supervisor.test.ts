import { describe, expect, it } from 'vitest';
import { ToolsiftError } from '../../src/errors.ts';
import { exited, fakeConnection, PARAMS, POLICY, supervise } from './supervised.ts';

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

describe('a supervisor starts', () => {
  it('nothing until somebody connects', async () => {
    const { supervisor, clock, starts } = supervise();
    await clock.pass(1_000_000);
    expect([starts.length, supervisor.status.state, supervisor.connection]).toEqual([0, 'idle', undefined]);
  });

  it('once for all who connect, and gives them the same connection', async () => {
    const { supervisor, start, starts, states, ready } = supervise();
    const callers = [supervisor.connect(PARAMS), supervisor.connect(PARAMS), supervisor.connect(PARAMS)];
    const connection = await start().succeed();
    expect(await Promise.all([...callers, supervisor.connect(PARAMS)])).toEqual(Array(4).fill(connection));
    expect([starts.length, states, ready]).toEqual([1, ['starting', 'ready'], [connection]]);
    expect(supervisor.connection).toBe(connection);
  });

  it('and tells all who wait why it failed, with the state to go by', async () => {
    const { supervisor, start, states } = supervise();
    const fates = [supervisor.connect(PARAMS), supervisor.connect(PARAMS)].map(fateOf);
    await start().fail(exited(3));
    expect(fates.map(({ error }) => error?.message)).toEqual(['exited with code 3', 'exited with code 3']);
    expect(supervisor.status).toMatchObject({ state: 'backoff', reason: 'exited with code 3' });
    expect(states).toEqual(['starting', 'backoff']);
  });

  it('with an error of ours around whatever was thrown', async () => {
    const { supervisor, start } = supervise();
    const { error } = await (async () => {
      const fate = fateOf(supervisor.connect(PARAMS));
      await start().fail(new TypeError('x is not\na function'));
      return fate;
    })();
    expect(error).toMatchObject({
      code: 'upstream_start_failed',
      message: 'could not be started: x is not a function',
      cause: expect.any(TypeError),
    });
  });
});

describe('a supervisor meets failures', () => {
  it('with pauses that double, then gives up until the next use', async () => {
    const { supervisor, clock, start, starts } = supervise();
    supervisor.connect(PARAMS).catch(() => {});
    for (const pause of [1000, 2000, 4000]) {
      await start().fail(exited());
      expect(supervisor.status.state).toBe('backoff');
      const before = starts.length;
      await clock.pass(pause - 1);
      expect(starts.length).toBe(before);
      await clock.pass(1);
      expect(starts.length).toBe(before + 1);
    }
    await start().fail(exited(9));
    expect(supervisor.status).toMatchObject({
      state: 'failed',
      reason: 'exited with code 9; gave up after 4 failures, the next call tries again',
    });
    await clock.pass(10_000_000);
    expect(starts).toHaveLength(4);
    const again = supervisor.connect(PARAMS);
    const connection = await start().succeed();
    expect([starts.length, await again]).toEqual([5, connection]);
  });

  it('of a running session by starting it again unasked', async () => {
    const { supervisor, clock, start, states } = supervise();
    void supervisor.connect(PARAMS);
    await start().succeed();
    await start().end();
    expect(supervisor.connection).toBeUndefined();
    await clock.pass(1000);
    const second = await start().succeed();
    expect(supervisor.connection).toBe(second);
    expect(states).toEqual(['starting', 'ready', 'backoff', 'starting', 'ready']);
  });

  it('by waiting for the next use where nobody wants it unasked, with the reason kept', async () => {
    const { supervisor, clock, start, starts } = supervise({ isWantedUnasked: () => false });
    supervisor.connect(PARAMS).catch(() => {});
    await start().fail(exited(5));
    await clock.pass(1000);
    expect(supervisor.status).toMatchObject({ state: 'idle', reason: 'exited with code 5' });
    await clock.pass(100_000);
    expect(starts).toHaveLength(1);
    void supervisor.connect(PARAMS);
    expect(starts).toHaveLength(2);
  });

  it('and forgets them once a session has been up long enough', async () => {
    const { supervisor, clock, start, starts } = supervise();
    void supervisor.connect(PARAMS);
    for (let round = 0; round < 6; round++) {
      await start().succeed();
      await clock.pass(POLICY.stableMs);
      await start().end();
      await clock.pass(1000);
      expect(starts).toHaveLength(round + 2);
    }
  });

  it('and counts sessions that end soon like starts that fail', async () => {
    const { supervisor, clock, start } = supervise();
    void supervisor.connect(PARAMS);
    for (const pause of [1000, 2000, 4000, 0]) {
      await start().succeed();
      await clock.pass(10);
      await start().end();
      await clock.pass(pause);
    }
    expect(supervisor.status.state).toBe('failed');
  });

  it('right after the handshake, before anybody saw the connection', async () => {
    const connection = fakeConnection();
    const { supervisor, ready, states } = supervise({
      open: async ({ onclose }) => {
        onclose(exited(4));
        return connection;
      },
    });
    await expect(supervisor.connect(PARAMS)).rejects.toThrow('exited with code 4');
    expect([ready, supervisor.connection, states]).toEqual([[], undefined, ['starting', 'backoff']]);
  });

  it('no sooner than the other side asked for', async () => {
    const { supervisor, clock, start, starts } = supervise();
    supervisor.connect(PARAMS).catch(() => {});
    await start().fail(
      new ToolsiftError('upstream_start_failed', 'HTTP 429', { facts: { retryAfterMs: 5000 } }),
    );
    await clock.pass(4999);
    expect(starts).toHaveLength(1);
    await clock.pass(1);
    expect(starts).toHaveLength(2);
  });

  it('of an old session without touching the new one', async () => {
    const { supervisor, clock, start } = supervise();
    void supervisor.connect(PARAMS);
    await start().succeed();
    await start(0).end();
    await clock.pass(1000);
    const second = await start().succeed();
    await start(0).end();
    expect([supervisor.connection, supervisor.status.state]).toEqual([second, 'ready']);
  });
});

describe('a caller', () => {
  it('waits for a restart that is near', async () => {
    const { supervisor, clock, start, starts } = supervise();
    supervisor.connect(PARAMS).catch(() => {});
    await start().fail(exited());
    const fate = fateOf(supervisor.connect(PARAMS));
    await clock.pass(999);
    expect(fate).toEqual({});
    await clock.pass(1);
    const connection = await start().succeed();
    expect([fate.value, starts.length]).toEqual([connection, 2]);
  });

  it('does not wait for one that is far: its call is a try of its own, a second after the last', async () => {
    const { supervisor, clock, start } = supervise();
    supervisor.connect(PARAMS).catch(() => {});
    await start().fail(exited());
    await clock.pass(1000);
    await start().fail(exited());
    await clock.pass(2000);
    await start().fail(exited(7));
    await expect(supervisor.connect(PARAMS)).rejects.toMatchObject({
      message: 'exited with code 7; a call can start it again in 1 s',
    });
    await clock.pass(1000);
    const connected = supervisor.connect(PARAMS);
    const connection = await start().succeed();
    await expect(connected).resolves.toBe(connection);
    await clock.pass(60_000);
    expect(supervisor.status.state).toBe('ready');
  });

  it('hears of a failure at once when it has just been tried, and starts it anew a second later', async () => {
    const { supervisor, clock, start, starts } = supervise();
    supervisor.connect(PARAMS).catch(() => {});
    await start().fail(new ToolsiftError('server_config_invalid', 'command "nope" was not found'));
    expect(supervisor.status).toMatchObject({ state: 'failed', reason: 'command "nope" was not found' });
    await expect(supervisor.connect(PARAMS)).rejects.toThrow('command "nope" was not found');
    await clock.pass(100_000);
    expect(starts).toHaveLength(1);
    const fate = fateOf(supervisor.connect(PARAMS));
    const connection = await start().succeed();
    expect([fate.value, starts.length]).toEqual([connection, 2]);
  });

  it('hears that somebody must log in, however late it asks', async () => {
    const { supervisor, clock, start, starts } = supervise();
    supervisor.connect(PARAMS).catch(() => {});
    await start().fail(new ToolsiftError('upstream_needs_login', 'run toolsift auth x'));
    expect(supervisor.status.state).toBe('needs_login');
    await clock.pass(10_000_000);
    await expect(supervisor.connect(PARAMS)).rejects.toMatchObject({ code: 'upstream_needs_login' });
    expect([starts.length, clock.timers]).toEqual([1, 0]);
  });
});
