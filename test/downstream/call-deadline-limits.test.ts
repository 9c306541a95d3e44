import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallDeadline } from '../../src/downstream/call-deadline.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the hard limit of a call', () => {
  it('holds where it is the only limit', () => {
    const onexpire = vi.fn();
    new CallDeadline({ maxTimeoutMs: 5000 }, 't', onexpire);
    vi.advanceTimersByTime(5000);
    expect(onexpire).toHaveBeenCalledOnce();
  });

  it('is there only where it is configured: progress may extend a call without end', () => {
    const onexpire = vi.fn();
    const deadline = new CallDeadline({ timeoutMs: 1000 }, 't', onexpire);
    for (let count = 0; count < 100; count++) {
      vi.advanceTimersByTime(900);
      deadline.extend();
    }
    expect(onexpire.mock.calls.length).toBe(0);
  });
});

describe('a time limit of months', () => {
  it('does not pass at once', () => {
    vi.useRealTimers();
    const delays: unknown[] = [];
    const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation((_, ms) => {
      delays.push(ms);
      return { unref: () => {} } as NodeJS.Timeout;
    });
    new CallDeadline({ timeoutMs: 40 * 24 * 3_600_000 }, 't', () => {});
    spy.mockRestore();
    // A timer takes 31 bits; what is longer fires after a millisecond.
    for (const ms of delays) expect(ms).toBeLessThanOrEqual(2 ** 31 - 1);
    expect(delays.length).toBeLessThanOrEqual(1);
  });
});
