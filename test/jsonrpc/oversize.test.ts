import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readOversize } from '../../src/jsonrpc/oversize.ts';

const KEPT = 512;
const BIG = `{"content":[{"type":"text","text":"${'x'.repeat(2000)}"}],"id":99}`;

function idOf(message: string): string | undefined {
  const bytes = Buffer.from(message);
  return readOversize(bytes.subarray(0, KEPT), bytes.subarray(-KEPT)).id;
}

describe('readOversize', () => {
  it.each([
    ['request', `{"jsonrpc":"2.0","id":1,"method":"a","params":${BIG}}`],
    ['request', `{"jsonrpc":"2.0","id":1,"params":${BIG},"method":"a"}`],
    ['request', `{"method":"a","params":${BIG},"jsonrpc":"2.0","id":1}`],
    ['response', `{"jsonrpc":"2.0","id":1,"result":${BIG}}`],
    ['response', `{"result":${BIG},"jsonrpc":"2.0","id":1}`],
  ] as const)('tells that it is a %s: %#', (of, message) => {
    const bytes = Buffer.from(message);
    expect(readOversize(bytes.subarray(0, KEPT), bytes.subarray(-KEPT))).toEqual({ id: '1', of });
  });

  it('reads the id before or after the result, with any white space', () => {
    const ids = fc.constantFrom('0', '7', '-3', '1.5', '9007199254740993', '""', '"a-1"', '"q\\"b"');
    const gaps = fc.constantFrom('', ' ', '  ', '\t');
    const isLast = fc.boolean();
    fc.assert(
      fc.property(ids, gaps, isLast, isLast, (id, gap, hasIdLast, hasVersionLast) => {
        const version = `"jsonrpc"${gap}:${gap}"2.0"`;
        const member = `"id"${gap}:${gap}${id}`;
        const head = [...(hasVersionLast ? [] : [version]), ...(hasIdLast ? [] : [member])];
        const tail = [...(hasIdLast ? [member] : []), ...(hasVersionLast ? [version] : [])];
        fc.pre(!(hasIdLast && hasVersionLast) || tail.length === 2);
        const members = [...head, `"result":${BIG}`, ...tail].join(`${gap},${gap}`);
        expect(idOf(`{${gap}${members}${gap}}`)).toBe(id);
      }),
    );
  });

  it('reads the id of a line that ends in a carriage return', () => {
    expect(idOf(`{"jsonrpc":"2.0","result":${BIG},"id":4}\r`)).toBe('4');
  });

  it.each([
    ['an id inside the result', `{"jsonrpc":"2.0","result":${BIG}}`],
    ['an id inside a leading object', `{"x":{"id":5,"y":1},"result":${BIG},"jsonrpc":"2.0"}`],
    ['no message', 'x'.repeat(3000)],
    ['an id that is no id', `{"jsonrpc":"2.0","id":{"a":1},"result":${BIG}}`],
  ])('takes no id from %s', (_, message) => {
    expect(idOf(message)).toBeUndefined();
  });
});
