import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerpt, harmless, harmlessJson, MAX_QUOTE_LENGTH, oneLine } from '../src/foreign-text.ts';

const ACTED_ON = /(?![\n\t])[\p{Cc}\p{Cf}]/u;

describe('text of others, made harmless', () => {
  it.each([
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['titles and the clipboard', '\u001b]0;title\u0007a\u001b]52;c;aGk=\u001b\\b', 'ab'],
    ['commands in one byte', 'a\u009b2Jb', 'ab'],
    ['an escape that leads nowhere', 'a\u001b', 'a\\u001b'],
    ['a bell and a backspace', 'a\u0007b\u0008', 'a\\u0007b\\u0008'],
    ['a carriage return over what stands there', 'good\rbad', 'good\nbad'],
    ['a change of direction', 'a\u202etxt.exe', 'a\\u202etxt.exe'],
    ['characters without width', 'a\u200bb\ufeffc\u{e0041}d', 'a\\u200bb\\ufeffc\\udb40\\udc41d'],
    ['other line breaks', 'a\r\nb\u2028c', 'a\nb\nc'],
  ])('is without %s', (_, text, expected) => {
    expect(harmless(text)).toBe(expected);
  });

  it('has nothing left that a terminal acts on, and is on one line where it must be', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(harmless(text)).not.toMatch(ACTED_ON);
        expect(oneLine(text)).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
      }),
    );
  });
});

describe('JSON of others, made harmless', () => {
  it('means what it meant', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), (json) => {
        const shown = harmlessJson(json);
        expect(JSON.parse(shown)).toEqual(JSON.parse(json));
        expect(shown).not.toMatch(ACTED_ON);
      }),
    );
  });

  it('keeps its layout but for carriage returns', () => {
    expect(harmlessJson('{\r\n\t"a": "\u009b\u202e\u2028",\n "b": 1.0}')).toBe(
      '{\n\t"a": "\\u009b\\u202e\\u2028",\n "b": 1.0}',
    );
  });
});

describe('an excerpt', () => {
  it('is on one line, and short', () => {
    expect(excerpt(`a\n${'x'.repeat(10_000)}`)).toHaveLength(MAX_QUOTE_LENGTH);
  });
});
