import { describe, expect, test } from 'vitest';
import { readToolText } from '../../../src/search/index/tool-text.ts';

const textOf = (inputSchema: unknown) => readToolText({ name: 't', inputSchema });

describe('the text of a tool', () => {
  test('has names, descriptions and values of arguments, nested ones and those of variants too', () => {
    const text = textOf({
      properties: {
        a: { description: 'first', enum: ['x', 7, 'y'] },
        b: { items: { enum: ['z'], properties: { c: { description: 'deep' } } } },
      },
      anyOf: [{ properties: { d: {} } }, 'odd', null],
      oneOf: 'odd',
    });
    expect(text).toMatchObject({
      argumentNames: ['a', 'b', 'c', 'd'],
      argumentDescriptions: ['first', 'deep'],
      enumValues: ['x', 'y', 'z'],
    });
  });

  test('goes three levels deep and no further', () => {
    const level = (name: string, inner: object = {}) => ({ properties: { [name]: inner } });
    expect(textOf(level('a', level('b', level('c', level('d')))))?.argumentNames).toEqual(['a', 'b', 'c']);
  });

  test('takes the title from the annotations where there is none', () => {
    const annotations = { title: 'Noted' };
    expect(readToolText({ name: 't', annotations })?.title).toBe('Noted');
    expect(readToolText({ name: 't', title: 'Own', annotations })?.title).toBe('Own');
    expect(readToolText({ name: 't', title: 7, annotations: 'x' })?.title).toBe('');
  });

  test.each([undefined, null, 'x', [], {}, { name: 7 }, { name: '' }])('is none for %j', (tool) => {
    expect(readToolText(tool)).toBeUndefined();
  });

  test('is a part of what is listed without end', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 5000 }, (_, i) => [`p${i}`, { enum: Array(100).fill('v') }]),
    );
    const text = textOf({ properties });
    expect(text?.argumentNames).toHaveLength(1000);
    expect(text?.enumValues).toHaveLength(40_000);
    expect(readToolText({ name: 't', description: 'd'.repeat(50_000) })?.description).toHaveLength(8000);
  });
});
