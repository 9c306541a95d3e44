import { describe, expect, it } from 'vitest';
import type { Connection } from '../../src/upstream/connection.ts';
import { settled } from './fake-clock.ts';
import { fakeConnection, PARAMS, supervise } from './supervised.ts';

describe('a start that succeeds while the supervisor is being stopped', () => {
  it('is closed again, and nobody is told that it is ready', async () => {
    const connection = fakeConnection();
    let succeed: (connection: Connection) => void = () => {};
    const { supervisor, states, ready } = supervise({
      open: () =>
        new Promise((resolve) => {
          succeed = resolve;
        }),
    });
    supervisor.connect(PARAMS).catch(() => {});
    const stopped = supervisor.stop();
    succeed(connection);
    await stopped;
    await settled();
    expect(connection.closings).toBe(1);
    expect(ready).toEqual([]);
    expect(states).toEqual(['starting', 'stopping', 'stopped']);
  });

  it('is not reopened when stop is asked for twice', async () => {
    const { supervisor, states, start } = supervise();
    void supervisor.connect(PARAMS);
    await start().succeed();
    await Promise.all([supervisor.stop(), supervisor.stop()]);
    await supervisor.stop();
    expect(states).toEqual(['starting', 'ready', 'stopping', 'stopped']);
  });
});
