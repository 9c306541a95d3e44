import { describe, expect, test } from 'vitest';
import { ToolIndex } from '../../../src/search/tool-index.ts';

/** The first stage alone: the tools of one server that match, with their scores. */
function scoresOf(query: string, tools: readonly object[]): Map<string, number> {
  const index = new ToolIndex({ mode: 'words' });
  const rest = Array.from({ length: 30 }, (_, i) => ({
    name: `other_${i}`,
    title: 'Another',
    description: 'Something else',
  }));
  index.replaceServer('s', [...tools, ...rest]);
  return new Map(index.search(query, { limit: 50 }).map(({ name, score }) => [name, score]));
}

const FIELDS: readonly [field: string, tool: (word: string) => object][] = [
  ['name', (word) => ({ name: `${word}_a`, title: 'Another', description: 'Something else' })],
  ['title', (word) => ({ name: 'plain_b', title: `${word} another`, description: 'Something else' })],
  ['first sentence', (word) => ({ name: 'plain_c', title: 'Another', description: `Something ${word}` })],
  [
    'argument',
    (word) => ({
      name: 'plain_d',
      title: 'Another',
      description: 'Something else',
      inputSchema: { properties: { [word]: {} } },
    }),
  ],
];

describe('the first stage', () => {
  test('counts a word in the name for more than in the title, and so on down the fields', () => {
    const scores = FIELDS.map(([, tool]) => [...scoresOf('knot', [tool('knot')]).values()][0] ?? 0);
    expect(scores.every((score) => score > 0)).toBe(true);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(new Set(scores).size).toBe(scores.length);
  });

  test('finds what has a word in its name above what has it in its title and its summary', () => {
    const scores = scoresOf('knot', [
      { name: 'knot_tier', title: 'Another', description: 'Something else' },
      { name: 'plain_b', title: 'A knot', description: 'Something else' },
      { name: 'plain_c', title: 'Another', description: 'Something with a knot' },
    ]);
    expect([...scores.keys()]).toEqual(['knot_tier', 'plain_b', 'plain_c']);
    expect((scores.get('knot_tier') ?? 0) / (scores.get('plain_b') ?? 1)).toBeGreaterThan(1.1);
  });

  test('counts a rare word for more than one that many tools have', () => {
    const [first] = scoresOf('rope other', [{ name: 'rope_x' }, { name: 'x_other' }]).keys();
    expect(first).toBe('rope_x');
  });
});
