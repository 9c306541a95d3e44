import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nearest, nearestFirst } from '../../../src/config/text/nearest.ts';

const keys = ['command', 'args', 'env', 'cwd', 'url', 'headers', 'timeoutSeconds'];

describe('the nearest name', () => {
  test.each([
    ['comand', 'command'],
    ['Command', 'command'],
    ['agrs', 'args'],
    ['header', 'headers'],
    ['timeout_seconds', 'timeoutSeconds'],
  ])('to %s is %s', (wanted, expected) => {
    expect(nearest(wanted, keys)).toBe(expected);
  });

  test('is nobody when none is near', () => {
    expect(nearest('frobnicate', keys)).toBeUndefined();
    expect(nearest('x', [])).toBeUndefined();
  });

  test('comes first of all, and none is lost', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 1 }), fc.nat(), (names, at) => {
        const wanted = names[at % names.length] ?? '';
        const sorted = nearestFirst(wanted, names);
        expect([...sorted].sort()).toEqual([...names].sort());
        expect(nearest(wanted, names)).toBe(sorted[0]);
      }),
    );
  });
});
