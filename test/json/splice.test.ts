import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Edit, joinChunks, splice } from '../../src/json/splice.ts';

/** A text cut into pieces, some of which are replaced; and the same done with strings. */
const cases = fc
  .array(fc.tuple(fc.string({ maxLength: 5 }), fc.option(fc.string({ maxLength: 4 }), { nil: undefined })), {
    maxLength: 8,
  })
  .map((pieces) => {
    const edits: Edit[] = [];
    let at = 0;
    for (const [text, replacement] of pieces) {
      if (replacement !== undefined)
        edits.push({ span: { start: at, end: at + text.length }, text: replacement });
      at += text.length;
    }
    return {
      text: pieces.map(([text]) => text).join(''),
      edits,
      expected: pieces.map(([text, replacement]) => replacement ?? text).join(''),
    };
  });
const ascii = cases.filter(({ text }) => Buffer.byteLength(text) === text.length);

describe('splice', () => {
  it('makes every edit and keeps every byte beside them', () => {
    fc.assert(
      fc.property(ascii, ({ text, edits, expected }) => {
        expect(joinChunks(splice(Buffer.from(text), edits)).toString()).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('takes edits in any order and leaves the list it was given alone', () => {
    const edits = [
      { span: { start: 3, end: 4 }, text: 'Z' },
      { span: { start: 0, end: 1 }, text: Buffer.from('\u00e9') },
    ];
    const given = [...edits];
    expect(joinChunks(splice(Buffer.from('abcd'), edits)).toString()).toBe('\u00e9bcZ');
    expect(edits).toEqual(given);
  });

  it('inserts where the span is empty, at either end', () => {
    const edits = [
      { span: { start: 0, end: 0 }, text: '<' },
      { span: { start: 2, end: 2 }, text: '>' },
    ];
    expect(joinChunks(splice(Buffer.from('ab'), edits)).toString()).toBe('<ab>');
  });

  it('copies no bytes of the message', () => {
    const bytes = Buffer.from('abcdef');
    const [before, text, after] = splice(bytes, [{ span: { start: 2, end: 3 }, text: 'X' }]);
    expect(text).toBe('X');
    expect([(before as Buffer).buffer, (after as Buffer).buffer]).toEqual([bytes.buffer, bytes.buffer]);
    expect((after as Buffer).byteOffset - bytes.byteOffset).toBe(3);
  });
});
