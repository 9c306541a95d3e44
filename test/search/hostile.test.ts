import { describe, expect, test } from 'vitest';
import { writeSearchAnswer } from '../../src/search/answer/answer.ts';
import { estimateTokens } from '../../src/search/answer/token-estimate.ts';
import { ToolIndex } from '../../src/search/tool-index.ts';
import { MAX_PROCESSOR_MS, processorMs } from '../fuzz/budget.ts';
import { HOSTILE, HOSTILE_NAME, HOSTILE_QUERY } from './hostile-definitions.ts';

const PLAIN = '{"name":"plain_knot","description":"A plain knot","inputSchema":{"type":"object"}}';
const MAX_TOKENS = 1000;

function search(definition: string, detail: 'full' | 'brief' | 'names' = 'full', limit = 10): string {
  const index = new ToolIndex();
  index.replaceServer('odd', [JSON.parse(definition)]);
  index.replaceServer('good', [JSON.parse(PLAIN)]);
  const answer = index.query(HOSTILE_QUERY, { limit });
  return writeSearchAnswer({
    query: HOSTILE_QUERY,
    ...answer,
    definitionOf: (server) => (server === 'odd' ? definition : PLAIN),
    detail,
    maxTokens: MAX_TOKENS,
  });
}

describe.each([...HOSTILE])('a tool with %s', (_, definition) => {
  test('is found and shown within the budget, beside the others', () => {
    for (const detail of ['full', 'brief', 'names'] as const) {
      const text = search(definition, detail);
      const { tools } = JSON.parse(text) as { tools: { name: string }[] };
      expect(tools.map(({ name }) => name)).toEqual([HOSTILE_NAME, 'plain_knot']);
      expect(estimateTokens(text), detail).toBeLessThanOrEqual(MAX_TOKENS);
    }
  });

  test('alone is shown within ten times the budget', () => {
    expect(estimateTokens(search(definition, 'full', 1))).toBeLessThanOrEqual(10 * MAX_TOKENS);
  });

  test('costs little to index and to show', () => {
    expect(definition.length).toBeLessThan(1_000_000);
    expect(processorMs(() => search(definition))).toBeLessThan(MAX_PROCESSOR_MS);
  });
});
