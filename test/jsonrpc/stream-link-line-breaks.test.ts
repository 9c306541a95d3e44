import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StreamLink } from '../../src/jsonrpc/stream-link.ts';
import { jsonTexts } from './json-text.ts';

/** What a link writes for a message that holds `value`, e.g. the pretty-printed body of an HTTP answer. */
function written(value: string): string {
  const output = new PassThrough();
  const link = new StreamLink({ input: new PassThrough(), output, maxMessageBytes: 1_000_000 });
  link.send(['{"jsonrpc":"2.0","id":1,"result":', Buffer.from(value), '}']);
  return String(output.read());
}

describe('a message with line breaks between its tokens', () => {
  it('is written on one line, since a line is what ends a message', () => {
    expect(
      written('{\n  "a": 1,\r\n  "b": "\\n"\n}')
        .trimEnd()
        .split(/[\n\r]/),
    ).toHaveLength(1);
  });

  it('keeps everything else as it was', () => {
    fc.assert(
      fc.property(jsonTexts, (text) => {
        const line = written(text);
        expect(line.indexOf('\n')).toBe(line.length - 1);
        expect(line.replace(/\s/g, '')).toBe(`{"jsonrpc":"2.0","id":1,"result":${text}}`.replace(/\s/g, ''));
        expect(JSON.parse(line)).toEqual({ jsonrpc: '2.0', id: 1, result: JSON.parse(text) });
      }),
    );
  });
});
