import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallDeadline } from '../../src/downstream/call-deadline.ts';
import type { CallLimits } from '../../src/downstream/upstream-view.ts';
import type { ToolsiftError } from '../../src/errors.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function begin(limits: CallLimits, tool = 't') {
  const onexpire = vi.fn<(error: ToolsiftError) => void>();
  return { deadline: new CallDeadline(limits, tool, onexpire), onexpire };
}

describe('a call without a time limit', () => {
  it('is waited for as long as it takes', () => {
    const { onexpire } = begin({});
    vi.advanceTimersByTime(24 * 3_600_000);
    expect([onexpire.mock.calls.length, vi.getTimerCount()]).toEqual([0, 0]);
  });
});

describe('a call with a time limit', () => {
  it('ends when the limit passes, once, with the setting that says so', () => {
    const { onexpire } = begin({ timeoutMs: 2000 });
    vi.advanceTimersByTime(1999);
    expect(onexpire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(100_000);
    expect(onexpire).toHaveBeenCalledOnce();
    expect(onexpire.mock.calls[0]?.[0]).toMatchObject({
      code: 'call_timeout',
      message: expect.stringMatching(/no answer within .*2 s.*"timeoutSeconds"/),
    });
  });

  it('is given its whole time again by progress', () => {
    const { deadline, onexpire } = begin({ timeoutMs: 1000 });
    for (let count = 0; count < 5; count++) {
      vi.advanceTimersByTime(900);
      deadline.extend();
    }
    vi.advanceTimersByTime(999);
    expect(onexpire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onexpire).toHaveBeenCalledOnce();
  });

  it('ends at the hard limit, whatever progress it makes', () => {
    const { deadline, onexpire } = begin({ timeoutMs: 1000, maxTimeoutMs: 2500 });
    for (let passed = 0; passed < 2400; passed += 400) {
      vi.advanceTimersByTime(400);
      deadline.extend();
    }
    expect(onexpire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(100);
    expect(onexpire.mock.calls[0]?.[0].message).toContain('"maxTimeoutSeconds"');
  });

  it('has the limit of its own tool where there is one', () => {
    const toolTimeoutsMs = new Map([['slow', 60_000]]);
    const [slow, other] = ['slow', 'other'].map((tool) => begin({ timeoutMs: 1000, toolTimeoutsMs }, tool));
    vi.advanceTimersByTime(1000);
    expect([slow?.onexpire.mock.calls.length, other?.onexpire.mock.calls.length]).toEqual([0, 1]);
    vi.advanceTimersByTime(59_000);
    expect(slow?.onexpire).toHaveBeenCalledOnce();
  });

  it('leaves no timer behind once it is answered', () => {
    const { deadline, onexpire } = begin({ timeoutMs: 1000 });
    deadline.extend();
    deadline.clear();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(10_000);
    expect(onexpire).not.toHaveBeenCalled();
  });
});
