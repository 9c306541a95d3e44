import { describe, expect, test } from 'vitest';
import { signatureOf } from '../../../src/search/answer/signature.ts';
import { typeText } from '../../../src/search/answer/type-text.ts';

describe('a signature', () => {
  test('has all that is required, and the first of what is optional', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 16 }, (_, i) => [`p${i}`, { type: 'string' }]),
    );
    const text = signatureOf('go', { properties, required: ['p15', 'p14', 'absent', 7] });
    expect(text).toMatch(
      /^go\(p15: string, p14: string, absent: any, p0\?: string, .*p11\?: string, …\+2\)$/,
    );
  });

  test('says that parameters combine in other ways', () => {
    expect(signatureOf('go', { anyOf: [], allOf: [{}] })).toBe('go(…anyOf, allOf)');
    expect(signatureOf('go', 'no schema')).toBe('go()');
  });

  test('counts what is required beyond an absurd number', () => {
    const text = signatureOf('go', { required: Array.from({ length: 5000 }, (_, i) => `parameter${i}`) });
    expect(text.length).toBeLessThan(3200);
    expect(text).toMatch(/, …\+4\d\d\d required\)$/);
  });
});

describe('the type of a parameter', () => {
  test.each([
    [{ type: 'string' }, 'string'],
    [{}, 'any'],
    [true, 'any'],
    [{ type: ['string', 'null'] }, 'string|null'],
    [{ type: 'array', items: { type: 'number' } }, 'number[]'],
    [{ type: 'array', items: { type: ['number', 'null'] } }, '(number|null)[]'],
    [{ type: ['array', 'null'], items: { type: 'string' } }, 'string[]|null'],
    [{ type: 'array' }, 'any[]'],
    [{ enum: ['a', 1, null, true] }, "'a'|1|null|true"],
    [{ enum: [1, 2, 3, 4, 5, 6, 7] }, '1|2|3|4|5|6|…'],
    [{ enum: ['x'.repeat(50), 'y'.repeat(50)] }, `'${'x'.repeat(50)}'|…`],
    [{ const: 'x' }, "'x'"],
    [{ const: 2 ** 60 }, 'number'],
    [{ const: { a: 1 } }, '{…}'],
    [{ enum: [[1]] }, '[…]'],
    [{ $ref: '#/$defs/Person' }, 'Person'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'string' }] }, 'string|number'],
    [{ oneOf: [{ $ref: '#/$defs/A' }, { type: 'null' }] }, 'A|null'],
  ])('of %j is %s', (schema, expected) => {
    expect(typeText(schema)).toBe(expected);
  });

  test('goes so deep and so wide, and no further', () => {
    let deep: object = { type: 'string' };
    for (let i = 0; i < 20; i++) deep = { type: 'array', items: deep };
    expect(typeText(deep)).toBe(`…${'[]'.repeat(7)}`);
    const wide = { anyOf: Array.from({ length: 30 }, (_, i) => ({ type: `t${i}` })) };
    expect(typeText(wide).split('|')).toHaveLength(13);
    expect(typeText({ anyOf: Array(12).fill(wide) }).length).toBeLessThanOrEqual(240);
  });
});
