import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DescriptorGate } from '../../../src/upstream/stdio/descriptor-gate.ts';

function gate(room: number) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const state = { room };
  const opened: string[] = [];
  const made = new DescriptorGate({ hasRoom: () => state.room > 0, maxWaitMs: 1000 });
  const start = (name: string) =>
    made.pass(() => {
      state.room--;
      opened.push(name);
      return name;
    });
  return { state, opened, start };
}

describe('a start', () => {
  it('happens at once while there are descriptors for it', async () => {
    const { opened, start } = gate(2);
    void start('a');
    void start('b');
    expect(opened).toEqual(['a', 'b']);
  });

  it('waits while there are none, in the order of asking', async () => {
    const { state, opened, start } = gate(1);
    const all = ['a', 'b', 'c'].map(start);
    await vi.advanceTimersByTimeAsync(300);
    expect(opened).toEqual(['a']);
    state.room = 2;
    await vi.advanceTimersByTimeAsync(300);
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c']);
    expect(opened).toEqual(['a', 'b', 'c']);
  });

  it('fails for its server when none come free in time, and is let in when it asks again and there are some', async () => {
    const { state, start } = gate(0);
    const failures = ['a', 'b'].map((name) => start(name).catch((error: unknown) => error));
    await vi.advanceTimersByTimeAsync(5000);
    for (const failure of await Promise.all(failures)) {
      expect(failure).toMatchObject({
        code: 'upstream_start_failed',
        message: expect.stringMatching(/may open no more files; raise the limit \(ulimit -n\)/),
      });
    }
    state.room = 1;
    expect(await start('a')).toBe('a');
  });

  it('that throws holds up nobody', async () => {
    const { start, state } = gate(0);
    const made = new DescriptorGate({ hasRoom: () => state.room > 0, maxWaitMs: 1000 });
    const failed = made.pass(() => {
      throw new Error('no');
    });
    const next = made.pass(() => 'next');
    const caught = failed.catch((error: Error) => error.message);
    state.room = 9;
    await vi.advanceTimersByTimeAsync(200);
    expect([await caught, await next]).toEqual(['no', 'next']);
    expect(await start('later')).toBe('later');
  });
});
