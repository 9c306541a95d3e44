import { expect, test } from 'vitest';
import { writeSearchAnswer } from '../../../src/search/answer/answer.ts';
import { ToolIndex } from '../../../src/search/tool-index.ts';

/** Without meanings, so that words alone decide. */
function indexOf(...names: string[]): ToolIndex {
  const index = new ToolIndex({ mode: 'lexical' });
  index.replaceServer(
    's',
    names.map((name) => ({ name, description: `Does ${name.replaceAll('_', ' ')}` })),
  );
  return index;
}

const index = indexOf('tie_knot', 'cut_rope', 'send_message', 'list_files', 'read_file', 'paint_wall');

function noteFor(query: string): string {
  const definitionOf = (_: string, name: string) => JSON.stringify({ name });
  const text = writeSearchAnswer({ query, ...index.query(query), definitionOf, servers: ['s'] });
  return (JSON.parse(text) as { note?: string }).note ?? '';
}

test('coverage is the share of what is asked that the best hit has words for', () => {
  expect(index.query('knot').coverage).toBe(1);
  expect(index.query('a knot of zebras and quaggas and okapis').coverage).toBeLessThan(0.34);
  const half = index.query('knot and rope').coverage;
  expect(half).toBeGreaterThan(0.4);
  expect(half).toBeLessThan(0.6);
  expect(index.query('zebra quagga').coverage).toBe(0);
});

test('an answer says so when its best hit covers little of what is asked, and only then', () => {
  expect(noteFor('a knot of zebras and quaggas and okapis')).toMatch(
    /^Weak match: no tool mentions zebras?, /,
  );
  expect(noteFor('tie a knot')).toBe('');
});
