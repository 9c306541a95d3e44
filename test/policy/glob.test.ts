import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesGlob } from '../../src/policy/glob.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.'), maxLength: 12 });
const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', '*'), maxLength: 8 });

function asExpression(glob: string): RegExp {
  return new RegExp(`^${glob.replaceAll('.', '\\.').replace(/\*+/g, '[^]*')}$`);
}

describe('matchesGlob', () => {
  it('agrees with the regular expression that says the same', () => {
    fc.assert(
      fc.property(pattern, text, (glob, value) => {
        expect(matchesGlob(glob, value)).toBe(asExpression(glob).test(value));
      }),
      { numRuns: 2000 },
    );
  });

  it('takes no time without end for a pattern full of stars', () => {
    const startedAt = performance.now();
    expect(matchesGlob(`${'a*'.repeat(200)}b`, 'a'.repeat(2000))).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });
});
