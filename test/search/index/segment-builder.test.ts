import { describe, expect, test } from 'vitest';
import {
  ARGUMENT_NAMES,
  DESCRIPTION,
  ENUM_VALUES,
  NAME,
  SERVER,
  SUMMARY,
} from '../../../src/search/index/fields.ts';
import {
  COUNT_MASK,
  DOCUMENT_SHIFT,
  FIELD_MASK,
  FIELD_SHIFT,
  fieldLength,
  findTerm,
  type Segment,
} from '../../../src/search/index/segment.ts';
import { SegmentBuilder } from '../../../src/search/index/segment-builder.ts';
import { hashOf } from '../../../src/search/index/term-hash.ts';

function segmentOf(server: string, ...tools: unknown[]): Segment {
  const builder = new SegmentBuilder(server);
  for (const tool of tools) builder.add(tool);
  return builder.finish();
}

/** What is noted of a stem: in which tool and field, and how often. */
function notedOf(segment: Segment, stem: string): [document: number, field: number, count: number][] {
  const term = findTerm(segment, hashOf(stem));
  if (term < 0) return [];
  return [...segment.postings.subarray(segment.starts[term], segment.starts[term + 1])].map((posting) => [
    posting >>> DOCUMENT_SHIFT,
    (posting >>> FIELD_SHIFT) & FIELD_MASK,
    posting & COUNT_MASK,
  ]);
}

describe('a segment', () => {
  test('counts a word no more than three times a field, however often it is said', () => {
    const said = (times: number) =>
      notedOf(segmentOf('s', { name: 't', description: 'knot '.repeat(times) }), 'knot');
    expect([1, 2, 3, 4, 40].map(said)).toEqual([1, 2, 3, 3, 3].map((count) => [[0, SUMMARY, count]]));
  });

  test('knows of every word in which fields of which tools it is', () => {
    const inputSchema = { properties: { knot: { enum: ['knot', 'bow'] } } };
    const segment = segmentOf(
      'knots',
      { name: 'tie_bow' },
      { name: 'tie_knot', description: 'Ties it. A knot.', inputSchema },
    );
    expect(notedOf(segment, 'knot')).toEqual([
      [0, SERVER, 1],
      [1, NAME, 1],
      [1, SERVER, 1],
      [1, ARGUMENT_NAMES, 1],
      [1, ENUM_VALUES, 1],
      [1, DESCRIPTION, 1],
    ]);
    expect(segment.frequencies[findTerm(segment, hashOf('knot'))]).toBe(2);
    expect(fieldLength(segment, 1, NAME)).toBe(2);
  });

  test('does not count again what the first sentence has said', () => {
    const segment = segmentOf('s', { name: 't', description: 'Ties a knot. The knot holds a rope.' });
    expect(notedOf(segment, 'knot')).toEqual([[0, SUMMARY, 1]]);
    expect(notedOf(segment, 'rope')).toEqual([[0, DESCRIPTION, 1]]);
  });

  test('keeps the words of names in their order, stop words too, and leaves them out elsewhere', () => {
    const segment = segmentOf('s', { name: 'who_am_i', description: 'the of and' });
    const terms = segment.terms();
    expect([...segment.nameTerms].map((term) => terms[term])).toEqual(['who', 'am', 'i']);
    expect(notedOf(segment, 'the')).toEqual([]);
  });

  test('takes nothing from the words that nearly every server has in its name', () => {
    const segment = segmentOf('knot-mcp-server', { name: 't' });
    expect([notedOf(segment, 'mcp'), notedOf(segment, 'server')]).toEqual([[], []]);
    expect(notedOf(segment, 'knot')).toEqual([[0, SERVER, 1]]);
  });
});
