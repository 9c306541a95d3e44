import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compact } from '../../src/json/compact.ts';
import { jsonTexts } from './json-text.ts';

const compacted = (json: string): string => compact(Buffer.from(json)).toString('utf8');

it('takes out white space between tokens and nothing within strings', () => {
  expect(compacted('{ "a b" :\n[ 1 ,\t"c \\" d" ] }\r\n')).toBe('{"a b":[1,"c \\" d"]}');
});

it('keeps the value of any JSON, however it is spelled', () => {
  fc.assert(
    fc.property(jsonTexts, (json) => {
      const text = compacted(json);
      expect(JSON.parse(text)).toEqual(JSON.parse(json));
      expect(text.replace(/"(?:[^"\\]|\\.)*"/g, '')).not.toMatch(/\s/);
    }),
  );
});
