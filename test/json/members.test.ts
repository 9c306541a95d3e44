import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memberBytes, spanAt, stringMember, withMember } from '../../src/json/members.ts';
import { membersOf } from '../helpers/raw-json.ts';
import { objectTexts } from './json-text.ts';

describe('memberBytes', () => {
  it('gives every value as it is written, the last of several under one key', () => {
    fc.assert(
      fc.property(objectTexts, (text) => {
        const expected = new Map(membersOf(text).map(({ key, value }) => [key, value]));
        const found = [...memberBytes(Buffer.from(text))].map(
          ([key, value]) => [key, value.toString()] as const,
        );
        expect(new Map(found)).toEqual(expected);
      }),
    );
  });

  it.each(['', '[1]', '7', '{"a":1', 'no JSON'])('finds none in %j', (text) => {
    expect([...memberBytes(Buffer.from(text))]).toEqual([]);
  });
});

describe('spanAt', () => {
  const text = '{"a":{"b":{"c":1.0}},"a":{"b":{"c":2.0}},"d":[1]}';
  const bytes = Buffer.from(text);
  const whole = { start: 0, end: bytes.length };
  const found = (...keys: string[]) => {
    const span = spanAt(bytes, whole, ...keys);
    return span === undefined ? undefined : text.slice(span.start, span.end);
  };

  it('leads through objects, the last of several members counting', () => {
    expect(found('a', 'b', 'c')).toBe('2.0');
    expect(found()).toBe(text);
  });

  it('ends where there is no member of that name, or no object', () => {
    expect([found('x'), found('a', 'x', 'c'), found('d', 'x'), found('a', 'b', 'c', 'x')]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('a string member', () => {
  it('is read where it is one that says something', () => {
    expect(stringMember('{"uri":"a\\u0062"}', 'uri')).toBe('ab');
    expect([
      stringMember('{"uri":""}', 'uri'),
      stringMember('{"uri":1}', 'uri'),
      stringMember('x', 'uri'),
    ]).toEqual([undefined, undefined, undefined]);
  });

  it('is replaced and nothing else', () => {
    expect(withMember('{ "n":1.0, "uri" : "a","uri":"b" }', 'uri', 'c"')).toBe(
      '{ "n":1.0, "uri" : "c\\"","uri":"c\\"" }',
    );
  });
});
