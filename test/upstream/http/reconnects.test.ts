import { describe, expect, it } from 'vitest';
import { Reconnects } from '../../../src/upstream/http/reconnects.ts';

/** Pauses after so many streams that ended as told. */
function pauses(
  reconnects: Reconnects,
  count: number,
  stream: { isFailure: boolean; brings: boolean },
): number[] {
  return Array.from({ length: count }, () => {
    if (stream.brings) reconnects.brought();
    reconnects.ended(stream);
    return reconnects.pauseMs(0.5);
  });
}

describe('the pause before a stream is asked for again', () => {
  it.each([
    [0, 100],
    [1, 100],
    [250, 250],
    [99_999_999_999, 60_000],
    [Number.POSITIVE_INFINITY, 60_000],
  ])('is within bounds where a server asks for %i ms: %i', (asked, expected) => {
    const reconnects = new Reconnects();
    reconnects.ask(asked);
    expect(reconnects.pauseMs()).toBe(expected);
    expect(pauses(reconnects, 100, { isFailure: false, brings: true })).toEqual(Array(100).fill(expected));
  });

  it('is a second again when a server that asks for less has nothing to say', () => {
    const reconnects = new Reconnects();
    reconnects.ask(0);
    const all = pauses(reconnects, 100, { isFailure: false, brings: false });
    expect(all.reduce((sum, ms) => sum + ms)).toBeGreaterThan(90_000);
    expect(pauses(reconnects, 1, { isFailure: false, brings: true })).toEqual([100]);
  });

  it('grows with failures, is never shorter than asked for, and never without end', () => {
    const reconnects = new Reconnects();
    expect(pauses(reconnects, 8, { isFailure: true, brings: false })).toEqual([
      1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000,
    ]);
    expect(reconnects.failures).toBe(8);
    const asked = new Reconnects();
    asked.ask(3000);
    expect(pauses(asked, 4, { isFailure: true, brings: false })).toEqual([3000, 3000, 4000, 8000]);
  });
});
