import { expect, it } from 'vitest';
import { matchesTemplate } from '../../../src/downstream/lists/uri-template.ts';
import { MAX_PROCESSOR_MS, processorMs } from '../../fuzz/budget.ts';

it.each(['{+a}', '{a}'])('a template of many adjacent %s costs no more than a moment', (expression) => {
  const start = performance.now();
  expect(matchesTemplate(`x:${expression.repeat(8)}!`, `x:${'y'.repeat(34)}`)).toBe(false);
  expect(performance.now() - start).toBeLessThan(100);
});

it('a very long template is no work, and stands for itself', () => {
  const template = `x:${'a'.repeat(400_000)}{z}b${'a'.repeat(50_000)}`;
  const spent = processorMs(() => {
    expect(matchesTemplate(template, `x:${'a'.repeat(900_000)}`)).toBe(false);
  });
  expect(spent).toBeLessThan(MAX_PROCESSOR_MS);
  expect(matchesTemplate(template, template)).toBe(true);
});
