import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StreamLink } from '../../src/jsonrpc/stream-link.ts';
import { jsonTexts } from '../json/json-text.ts';

/** What a link writes for a message that holds `value`, e.g. the pretty-printed body of an HTTP answer. */
async function written(value: string): Promise<string> {
  const output = new PassThrough();
  const link = new StreamLink({ input: new PassThrough(), output, maxMessageBytes: 1_000_000 });
  link.send(['{"jsonrpc":"2.0","id":1,"result":', Buffer.from(value), '}'], { kind: 'response', id: '1' });
  await link.close();
  return (await output.toArray()).join('');
}

describe('a message with line breaks between its tokens', () => {
  it('is written on one line, since a line is what ends a message', async () => {
    const text = await written('{\n  "a": 1,\r\n  "b": "\\n"\n}');
    expect(text.trimEnd()).not.toMatch(/[\n\r]/);
    expect(text.endsWith('\n')).toBe(true);
  });

  it('keeps everything else as it was', async () => {
    await fc.assert(
      fc.asyncProperty(jsonTexts, async (text) => {
        const line = await written(text);
        expect(line.indexOf('\n')).toBe(line.length - 1);
        expect(line.replace(/\s/g, '')).toBe(`{"jsonrpc":"2.0","id":1,"result":${text}}`.replace(/\s/g, ''));
        expect(JSON.parse(line)).toEqual({ jsonrpc: '2.0', id: 1, result: JSON.parse(text) });
      }),
    );
  });
});
