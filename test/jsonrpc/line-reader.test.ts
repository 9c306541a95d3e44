import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineReader } from '../../src/jsonrpc/line-reader.ts';

interface Oversize {
  readonly length: number;
  readonly head: string;
  readonly tail: string;
}

function readerOf(limit = 1_000_000) {
  const lines: string[] = [];
  const oversize: Oversize[] = [];
  const reader = new LineReader({
    limit,
    online: (line) => lines.push(line.toString()),
    onoversize: (length, head, tail) =>
      oversize.push({ length, head: head.toString('latin1'), tail: tail.toString('latin1') }),
  });
  const push = (chunk: Buffer) => {
    reader.push(chunk);
    while (reader.next());
  };
  return { reader: { push, end: () => reader.end() }, lines, oversize };
}

/** Cuts bytes at the given places, wherever those are. */
function chunksOf(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
    (a, b) => a - b,
  );
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

const texts = fc.array(
  fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\n')),
  {
    maxLength: 8,
  },
);

describe('LineReader', () => {
  it('gives the same lines however the bytes are cut, inside characters too', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(), { maxLength: 20 }), fc.boolean(), (all, cuts, isEnded) => {
        const { reader, lines } = readerOf();
        const bytes = Buffer.from(all.join('\n') + (isEnded ? '\n' : ''));
        for (const chunk of chunksOf(bytes, cuts)) reader.push(chunk);
        reader.end();
        expect(lines).toEqual(all.filter((text) => text !== ''));
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the carriage return of a CRLF, which JSON takes for white space', () => {
    const { reader, lines } = readerOf();
    reader.push(Buffer.from('{}\r\n[]\r\n'));
    expect(lines).toEqual(['{}\r', '[]\r']);
  });

  it('hands out a line with its end, not before, and the last one when the stream ends', () => {
    const { reader, lines } = readerOf();
    reader.push(Buffer.from('one'));
    expect(lines).toEqual([]);
    reader.push(Buffer.from('\ntwo'));
    expect(lines).toEqual(['one']);
    reader.end();
    reader.end();
    expect(lines).toEqual(['one', 'two']);
  });

  it('drops lines above the limit, tells how long they were, and goes on with the next', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(sizes, fc.array(fc.nat(), { maxLength: 12 }), (lengths, cuts) => {
        const limit = 30;
        const { reader, lines, oversize } = readerOf(limit);
        const all = lengths.map((length, index) => String.fromCharCode(97 + index).repeat(length));
        for (const chunk of chunksOf(Buffer.from(`${all.join('\n')}\n`), cuts)) reader.push(chunk);
        expect(lines).toEqual(all.filter((line) => line.length <= limit));
        const dropped = all.filter((line) => line.length > limit);
        expect(oversize.map(({ length }) => length)).toEqual(dropped.map((line) => line.length));
      }),
      { numRuns: 500 },
    );
  });

  it('keeps both ends of a dropped line, 512 bytes of each', () => {
    const { reader, lines, oversize } = readerOf(2000);
    const line = `HEAD${'x'.repeat(500_000)}TAIL`;
    for (const chunk of chunksOf(Buffer.from(`${line}\nnext\n`), [1, 3000, 70_000, 499_999]))
      reader.push(chunk);
    expect(oversize).toEqual([{ length: line.length, head: line.slice(0, 512), tail: line.slice(-512) }]);
    expect(lines).toEqual(['next']);
  });

  it('reports a dropped line that the stream ended in', () => {
    const { reader, oversize } = readerOf(3);
    reader.push(Buffer.from('abcdef'));
    expect(oversize).toEqual([]);
    reader.end();
    expect(oversize).toEqual([{ length: 6, head: 'abcdef', tail: 'abcdef' }]);
  });

  it('joins a line of a thousand chunks once', () => {
    const { reader, lines } = readerOf();
    for (let part = 0; part < 1000; part++) reader.push(Buffer.from(`${part},`));
    reader.push(Buffer.from('\n'));
    expect(lines).toEqual([`${Array.from({ length: 1000 }, (_, part) => part).join(',')},`]);
  });
});
