import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { measure } from '../../../src/config/text/measure.ts';

describe('measuring a text', () => {
  test.each([
    ['', 0, 0],
    ['{}', 1, 0],
    ['[{"a": [1]}, {"b" : {}}]', 3, 2],
    [String.raw`{"\"{[": "{[:", "\\": 1}`, 1, 2],
    ['{ // "no": {{{ \r "a": 1, /* "no": [[ */ "b"\n:2 }', 1, 2],
    ['{"open', 1, 0],
    ['{ /* open', 1, 0],
    ['/', 0, 0],
  ])('of %j finds depth %d and %d keys', (text, depth, keys) => {
    expect(measure(text)).toEqual({ depth, keys });
  });

  test('finds what a value has, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        const { depth, keys } = measure(JSON.stringify(value, undefined, indent));
        expect({ depth, keys }).toEqual({ depth: depthOf(value), keys: keysOf(value) });
      }),
    );
  });

  test('of a text nested very deep ends', () => {
    expect(measure('['.repeat(1_000_000)).depth).toBe(1_000_000);
  });
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function keysOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value).reduce((sum: number, each) => sum + keysOf(each), 0);
  return Array.isArray(value) ? inner : Object.keys(value).length + inner;
}
