import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { argumentsText } from '../../src/downstream/meta-tools/arguments-text.ts';
import { at } from '../../src/jsonrpc/frame.ts';
import { jsonTexts, objectTexts } from '../json/json-text.ts';
import { frameOf, textOfChunks } from '../jsonrpc/messages.ts';

/** What is sent as arguments for a call whose arguments member is this text; none where it is undefined. */
function sentFor(written: string | undefined): string {
  const frame = frameOf(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${written === undefined ? '' : `"arguments":${written}`}}}`,
  );
  return textOfChunks([argumentsText(frame, at(frame, 'params', 'arguments'))]);
}

describe('argumentsText', () => {
  it('is what the client wrote, to the byte', () => {
    fc.assert(
      fc.property(objectTexts, (text) => {
        expect(sentFor(text)).toBe(text);
      }),
    );
  });

  it('is an empty object where there is nothing', () => {
    expect([sentFor(undefined), sentFor('null')]).toEqual(['{}', '{}']);
  });

  it('is what stands in a string that holds an object', () => {
    fc.assert(
      fc.property(objectTexts, (text) => {
        expect(sentFor(JSON.stringify(` ${text}\t`)).trim()).toBe(text);
      }),
    );
  });

  it('refuses everything else, and says what it got', () => {
    fc.assert(
      fc.property(jsonTexts, (text) => {
        fc.pre(!text.startsWith('{') && text !== 'null' && !text.startsWith('"'));
        const kind = text.startsWith('[') ? 'an array' : /^[tf]/.test(text) ? 'a boolean' : 'a number';
        expect(() => sentFor(text)).toThrow(`"arguments" must be a JSON object, not ${kind}`);
      }),
    );
  });

  it.each(['""', '"  "', '"\\n\\t "'])('takes blank text, as some hosts send it, for none: %s', (text) => {
    expect(sentFor(text)).toBe('{}');
  });

  it.each(['"text"', '"[1]"', '"null"', '"{"', '"{} {}"', '"{\\"a\\":1,}"', '"\\"{}\\""'])(
    'refuses the string %s, which holds no object',
    (text) => {
      expect(() => sentFor(text)).toThrow(
        expect.objectContaining({
          code: 'invalid_arguments',
          message: expect.stringContaining('pass the object'),
        }),
      );
    },
  );
});
