import { describe, expect, test } from 'vitest';
import { cutQuery } from '../../../src/search/query/cut-query.ts';
import { readQueryWords } from '../../../src/search/query/query-words.ts';

const words = (query: string) => readQueryWords(query).words.map(({ word }) => word);
const wordOf = (query: string, word: string) => readQueryWords(query).words.find((one) => one.word === word);

describe('the words of a query', () => {
  test('are those that say something, and the others only where there are none', () => {
    expect(words('please create the issue for me')).toEqual(['create', 'issue']);
    expect(words('the of and')).toEqual(['the', 'of', 'and']);
  });

  test('know what stands in quotes, addresses and paths, and nowhere else', () => {
    const query = 'send "zebra" to ann@example.com about /tmp/report, the report';
    expect(wordOf(query, 'zebra')?.isValue).toBe(true);
    expect(wordOf(query, 'ann')?.isValue).toBe(true);
    expect(wordOf(query, 'tmp')?.isValue).toBe(true);
    expect(wordOf(query, 'report')).toMatchObject({ isValue: false, count: 2 });
  });

  test('know names by their capitals, but not at the start of a sentence', () => {
    expect(wordOf('Write to Berlin', 'berlin')?.isProper).toBe(true);
    expect(wordOf('Berlin calls', 'berlin')?.isProper).toBe(false);
  });

  test('know the part of a request they are in', () => {
    const { clauseCount } = readQueryWords('cut the rope and then tie a knot');
    expect(clauseCount).toBe(2);
    expect(wordOf('cut the rope and then tie a knot', 'knot')?.clauses).toBe(2);
  });
});

describe('a long query', () => {
  test('is read up to a space', () => {
    const query = `${'word '.repeat(900)}end`;
    expect(cutQuery(query)).toBe('word '.repeat(800).trim());
    expect(cutQuery(' short ')).toBe('short');
    expect(cutQuery('x'.repeat(5000))).toHaveLength(4000);
  });

  test('is read as far as its composed text would be', () => {
    expect(cutQuery('\ufdfa'.repeat(4000)).length).toBeLessThan(300);
    expect(cutQuery('é'.repeat(3000))).toHaveLength(3000);
  });
});
