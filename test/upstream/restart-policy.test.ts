import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_RESTART_POLICY, decideRestart } from '../../src/upstream/restart-policy.ts';

const POLICY = { intensity: 3, periodMs: 1000, firstDelayMs: 100, maxDelayMs: 350, stableMs: 500 };
const MIDDLE = 0.5;

describe('decideRestart', () => {
  it('restarts with pauses that double up to the longest', () => {
    const delays = [1, 2, 3].map((count) => decideRestart(Array(count).fill(50), 60, POLICY, MIDDLE));
    expect(delays).toEqual([100, 200, 350].map((delayMs) => ({ kind: 'restart', delayMs })));
  });

  it('gives up with the first failure above the intensity', () => {
    expect(decideRestart([1, 2, 3, 4], 5, POLICY, MIDDLE)).toEqual({ kind: 'give-up', failures: 4 });
  });

  it('counts only failures within the period', () => {
    const times = [0, 1, 2, 999, 1500];
    expect(decideRestart(times, 1500, POLICY, MIDDLE)).toEqual({ kind: 'restart', delayMs: 200 });
    expect(decideRestart([500], 1500, POLICY, MIDDLE)).toEqual({ kind: 'restart', delayMs: 100 });
  });

  it('jitters each pause by at most a fifth', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (count, random) => {
          const plain = [100, 200, 350][count - 1] ?? 0;
          const decision = decideRestart(Array(count).fill(1), 1, POLICY, random);
          expect(decision.kind).toBe('restart');
          const delayMs = decision.kind === 'restart' ? decision.delayMs : Number.NaN;
          expect(Math.abs(delayMs - plain)).toBeLessThanOrEqual(plain / 5 + 0.5);
        },
      ),
    );
  });

  it('by default never waits longer than half a minute and a fifth', () => {
    const times = Array(DEFAULT_RESTART_POLICY.intensity).fill(0) as number[];
    const decision = decideRestart(times, 0, DEFAULT_RESTART_POLICY, 0.999);
    expect(decision).toMatchObject({ kind: 'restart' });
    expect(decision.kind === 'restart' ? decision.delayMs : Number.NaN).toBeLessThanOrEqual(36_000);
  });
});
