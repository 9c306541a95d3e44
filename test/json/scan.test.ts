import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidJson } from '../../src/json/invalid-json.ts';
import { scanArray, scanObject, skipSpace, skipValue } from '../../src/json/scan.ts';
import { elementsOf, membersOf } from '../helpers/raw-json.ts';
import { isJson, jsonTexts, objectTexts, spaces } from './json-text.ts';

const DEPTH = 100_000;

/** Whether the whole text is one value and nothing else. */
function accepts(text: string): boolean {
  const bytes = Buffer.from(text);
  try {
    return skipSpace(bytes, skipValue(bytes, skipSpace(bytes, 0))) === bytes.length;
  } catch (error) {
    if (error instanceof InvalidJson) return false;
    throw error;
  }
}

const characters = fc.constantFrom(...'{}[]:,"\\ 0123456789.-+eEtrufalsn/bx\t\n\u0001\u00e9\ufeff');
const mutations = fc.tuple(fc.constantFrom('insert', 'delete', 'replace'), fc.nat(), characters);

function mutate(text: string, [kind, at, character]: [string, number, string]): string {
  const place = at % (text.length + 1);
  return (
    text.slice(0, place) +
    (kind === 'delete' ? '' : character) +
    text.slice(place + (kind === 'insert' ? 0 : 1))
  );
}

describe('skipValue', () => {
  it('finds the end of every value, whatever follows it', () => {
    fc.assert(
      fc.property(jsonTexts, spaces, fc.constantFrom('', ',', '}', ']', ' x'), (text, space, rest) => {
        const isGluedNumber = rest === '' ? false : /[\d.eE+-]/.test(rest);
        fc.pre(!isGluedNumber);
        const bytes = Buffer.from(`${text}${space}${rest}`);
        expect(skipValue(bytes, 0)).toBe(Buffer.byteLength(text));
      }),
      { numRuns: 500 },
    );
  });

  it('refuses every proper prefix that JSON.parse refuses, and no other', () => {
    fc.assert(
      fc.property(jsonTexts, (text) => {
        for (let end = 0; end < text.length; end++) {
          const prefix = text.slice(0, end);
          if (accepts(prefix) !== isJson(prefix)) throw new Error(`differs on ${JSON.stringify(prefix)}`);
        }
      }),
      { numRuns: 120 },
    );
  });

  it('agrees with JSON.parse on texts with mistakes in them', () => {
    fc.assert(
      fc.property(jsonTexts, fc.array(mutations, { minLength: 1, maxLength: 3 }), (text, changes) => {
        const changed = changes.reduce(mutate, text);
        expect([changed, accepts(changed)]).toEqual([changed, isJson(changed)]);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ...[
      '',
      ' ',
      '-',
      '01',
      '+1',
      '.5',
      '1.',
      '1e',
      '1e+',
      '0x1',
      'NaN',
      'Infinity',
      '-Infinity',
      '--1',
      '1 2',
    ],
    ...[
      'tru',
      'nul',
      'True',
      'undefined',
      '"',
      '"\\',
      '"\\x"',
      '"\\u12g4"',
      '"\\u123"',
      '"\t"',
      '"\u0000"',
      "'a'",
    ],
    ...[
      '[',
      '[1',
      '[1,',
      '[1,]',
      '[,1]',
      '[1 2]',
      '{',
      '{"a"',
      '{"a":',
      '{"a":1',
      '{"a":1,}',
      '{,}',
      '{a:1}',
    ],
    ...[
      '{1:2}',
      '{"a" 1}',
      '{"a":1 "b":2}',
      '[1}',
      '{"a":1]',
      ']',
      '}',
      '1,',
      '[] []',
      '\ufeff1',
      '\u00a01',
      '//1',
    ],
  ])('refuses %j', (text) => {
    expect(isJson(text)).toBe(false);
    expect(accepts(text)).toBe(false);
  });

  it.each([
    ['arrays', '['.repeat(DEPTH), ']'.repeat(DEPTH)],
    ['objects', '{"a":'.repeat(DEPTH), `1${'}'.repeat(DEPTH)}`],
    ['both', '[{"a":'.repeat(DEPTH), `null${'}]'.repeat(DEPTH)}`],
  ])('goes through %s nested 100,000 deep, and misses a closer', (_, open, close) => {
    expect(accepts(open + close)).toBe(true);
    expect(accepts(open + close.slice(0, -1))).toBe(false);
    expect(accepts(`${open + close.slice(0, -1)})`)).toBe(false);
  });

  it('takes bytes that are no UTF-8 as they are inside strings, and nowhere else', () => {
    expect(skipValue(Buffer.from([0x22, 0xff, 0xc3, 0x22]), 0)).toBe(4);
    expect(() => skipValue(Buffer.from([0x5b, 0xff, 0x5d]), 0)).toThrow(InvalidJson);
  });
});

describe('scanObject', () => {
  it('finds the members of every object, duplicates included, as JSON.parse understands them', () => {
    fc.assert(
      fc.property(objectTexts, (text) => {
        const bytes = Buffer.from(text);
        const { members, end } = scanObject(bytes, 0);
        expect(end).toBe(bytes.length);
        const found = members.map(({ key, value }) => ({
          key,
          value: bytes.toString('utf8', value.start, value.end),
        }));
        expect(found).toEqual(membersOf(text));
        const parsed = JSON.parse(text) as Record<string, unknown>;
        expect(new Set(found.map(({ key }) => key))).toEqual(new Set(Object.keys(parsed)));
        for (const key of Object.keys(parsed)) {
          const last = found.findLast((member) => member.key === key)?.value ?? '';
          expect(JSON.parse(last)).toEqual(parsed[key]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('reads keys from a view into a larger buffer', () => {
    const all = Buffer.from('xx{"k\\u0065y":1,"\u00e9":2}');
    const { members } = scanObject(all.subarray(2), 0);
    expect(members.map(({ key }) => key)).toEqual(['key', '\u00e9']);
  });

  it.each(['[]', '1', '', '{"a":1', '{"a":1,}', '{a:1}', '{"a":tru}'])('refuses %j', (text) => {
    expect(() => scanObject(Buffer.from(text), 0)).toThrow(InvalidJson);
  });
});

describe('scanArray', () => {
  it('finds the elements of every array', () => {
    const arrays = fc
      .array(
        fc.tuple(spaces, jsonTexts, spaces).map((parts) => parts.join('')),
        { minLength: 1, maxLength: 5 },
      )
      .map((items) => `[${items.join(',')}]`);
    fc.assert(
      fc.property(arrays, (text) => {
        const bytes = Buffer.from(text);
        const { elements, end } = scanArray(bytes, 0);
        expect(end).toBe(bytes.length);
        const texts = elements.map(({ start, end: stop }) => bytes.toString('utf8', start, stop));
        expect(texts).toEqual(elementsOf(text));
        expect(texts.map((item) => JSON.parse(item) as unknown)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('finds none in an empty one', () => {
    expect(scanArray(Buffer.from('[ \n]'), 0)).toEqual({ elements: [], end: 4 });
  });

  it.each(['{}', '', '[1', '[1,]', '[1 2]'])('refuses %j', (text) => {
    expect(() => scanArray(Buffer.from(text), 0)).toThrow(InvalidJson);
  });
});
