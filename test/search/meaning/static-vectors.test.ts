import { describe, expect, test } from 'vitest';
import { createToolIndex } from '../../../src/index.ts';
import { clausesOf } from '../../../src/search/meaning/query-meaning.ts';
import {
  DIMENSIONS,
  textVector,
  tokenTable,
  toolVector,
} from '../../../src/search/meaning/static-vectors.ts';
import type { TokenTable } from '../../../src/search/meaning/token-table.ts';
import { cosine } from '../../../src/search/meaning/unit-vector.ts';

function table(): TokenTable {
  const tokens = tokenTable();
  if (tokens === undefined) throw new Error('token-vectors.bin is missing');
  return tokens;
}

function likeness(a: string, b: string): number {
  return cosine(textVector(table(), a), textVector(table(), b), 0);
}

describe('what texts mean', () => {
  test.each([
    ['postpone the meeting', 'reschedule an appointment', 'delete a file'],
    ['tell the team', 'send a message to a channel', 'resize an image'],
    ['how warm will it be', 'weather forecast', 'stock price'],
  ])('"%s" is nearer to "%s" than to "%s"', (text, near, far) => {
    expect(likeness(text, near)).toBeGreaterThan(likeness(text, far) + 0.1);
  });

  test('a text is like itself, whatever its case', () => {
    expect(likeness('Create an Issue', 'create an issue')).toBeGreaterThan(0.98);
  });

  test('a text without known words is like nothing', () => {
    expect(likeness('日本語', 'create an issue')).toBe(0);
  });

  test('a tool has one vector, however long its description', () => {
    const vector = toolVector(table(), {
      server: 'github',
      name: 'create_issue',
      description: 'Opens an issue. '.repeat(10_000),
    });
    expect(vector.length).toBe(DIMENSIONS);
  });
});

describe('the clauses of a request', () => {
  test.each([
    ['create an issue', []],
    ['create a new issue and then assign it to Ana', ['create a new issue', 'assign it to Ana']],
    ['eggs, milk, bread', []],
    ['Find the cheapest flight. Book a room near it.', ['Find the cheapest flight.', 'Book a room near it.']],
  ])('%s', (query, clauses) => {
    expect(clausesOf(query)).toEqual(clauses);
  });
});

describe('tools are found by what they mean', () => {
  const TOOLS = [
    { name: 'reschedule_event', description: 'Changes when an appointment takes place.' },
    { name: 'delete_file', description: 'Deletes a file.' },
    { name: 'resize_image', description: 'Makes a picture smaller or larger.' },
  ];

  test('without a shared word', () => {
    const index = createToolIndex();
    index.replaceServer('office', TOOLS);
    expect(index.search('shrink this photo')[0]?.name).toBe('resize_image');
  });

  test('but not where meanings are switched off', () => {
    const index = createToolIndex({ semantic: 'off' });
    index.replaceServer('office', [{ name: 'weather_forecast', description: 'Forecast for a city.' }]);
    expect(index.search('is it going to be rainy and cold outside')).toEqual([]);
  });

  test('what was kept with meanings switched off is indexed anew, not restored', () => {
    const off = createToolIndex({ semantic: 'off' });
    off.replaceServer('office', TOOLS);
    const kept = off.serializeServer('office');
    const on = createToolIndex();
    expect(kept !== undefined && on.restoreServer('office', kept)).toBe(false);
    on.replaceServer('office', TOOLS);
    const whole = on.serializeServer('office');
    const again = createToolIndex();
    expect(whole !== undefined && again.restoreServer('office', whole)).toBe(true);
    expect(again.search('shrink this photo')).toEqual(on.search('shrink this photo'));
  });
});
