import { describe, expect, it } from 'vitest';
import { alwaysLoaded } from '../../../src/downstream/lists/always-loaded.ts';

describe('a pinned definition says that it is always to be loaded', () => {
  it.each([
    ['{"name":"a"}', '{"name":"a","_meta":{"anthropic/alwaysLoad":true}}'],
    ['{"name":"a","_meta":{}}', '{"name":"a","_meta":{"anthropic/alwaysLoad":true}}'],
    [
      '{ "_meta" : { "x":1.0 }, "name":"a" }',
      '{ "_meta" : {"anthropic/alwaysLoad":true, "x":1.0 }, "name":"a" }',
    ],
    [
      '{"name":"a","_meta":{"anthropic/alwaysLoad":"no","y":2}}',
      '{"name":"a","_meta":{"anthropic/alwaysLoad":true,"y":2}}',
    ],
  ])('and is else as its server wrote it: %s', (definition, expected) => {
    expect(alwaysLoaded(definition)).toBe(expected);
  });
});
