import { describe, expect, it } from 'vitest';
import { planStart } from '../../src/proxy/start-plan.ts';

const NOW = 1_000_000;
const facts = {
  start: 'on-demand',
  refreshAfterMs: 1000,
  known: { readAt: NOW - 10, isExact: true },
} as const;

describe('planStart', () => {
  it.each([
    ['a known server waits for its first call', facts, 'on-demand'],
    ['an unknown server starts now, to be listed', { ...facts, known: undefined }, 'now'],
    ['an eager server starts now', { ...facts, start: 'eager' as const }, 'now'],
    [
      'a stale one is read anew later',
      { ...facts, known: { readAt: NOW - 1001, isExact: true } },
      'refresh-later',
    ],
    [
      'one known from another client likewise',
      { ...facts, known: { readAt: NOW, isExact: false } },
      'refresh-later',
    ],
  ] as const)('%s', (_, of, plan) => {
    expect(planStart(of, NOW)).toBe(plan);
  });
});
