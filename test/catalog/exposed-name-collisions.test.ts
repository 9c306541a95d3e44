import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exposedNames } from '../../src/catalog/exposed-name.ts';

describe('names that hold the joiner themselves', () => {
  it('do not push out the qualified name of another tool', () => {
    const items = [
      { server: 'x', name: 'a__b' },
      { server: 'a', name: 'b' },
      { server: 'c', name: 'b' },
    ];
    expect(exposedNames(items).size).toBe(3);
  });

  it('do not make two qualified names the same', () => {
    const items = ['a__b', 'z'].map((server) => ({ server, name: 'c' }));
    const others = ['a', 'y'].map((server) => ({ server, name: 'b__c' }));
    expect(exposedNames([...items, ...others]).size).toBe(4);
  });

  it('leave every item a name of its own, whatever the names are', () => {
    const parts = fc.constantFrom('a', 'b', 'a__b', 'b__a', 'a_', '_b', '_');
    const keys = fc.uniqueArray(fc.record({ server: parts, name: parts }), {
      selector: ({ server, name }) => `${server} ${name}`,
      maxLength: 8,
    });
    fc.assert(
      fc.property(keys, (items) => {
        expect(exposedNames(items).size).toBe(items.length);
      }),
      { numRuns: 500 },
    );
  });
});
