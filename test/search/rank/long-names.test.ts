import { expect, test } from 'vitest';
import { ToolIndex } from '../../../src/search/tool-index.ts';
import { MAX_PROCESSOR_MS, processorMs } from '../../fuzz/budget.ts';

test('a request and names that repeat one word hundreds of times are ranked in a moment', () => {
  const index = new ToolIndex();
  index.replaceServer(
    'odd',
    Array.from({ length: 60 }, (_, i) => ({ name: `${'ab_'.repeat(330)}${i}` })),
  );
  const spent = processorMs(() => {
    expect(index.search('ab '.repeat(1300))).toHaveLength(10);
  });
  expect(spent).toBeLessThan(MAX_PROCESSOR_MS);
});
