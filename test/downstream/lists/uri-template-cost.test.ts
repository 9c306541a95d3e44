import { expect, it } from 'vitest';
import { matchesTemplate } from '../../../src/downstream/lists/uri-template.ts';

it.each(['{+a}', '{a}'])('a template of many adjacent %s costs no more than a moment', (expression) => {
  const start = performance.now();
  expect(matchesTemplate(`x:${expression.repeat(8)}!`, `x:${'y'.repeat(34)}`)).toBe(false);
  expect(performance.now() - start).toBeLessThan(100);
});
