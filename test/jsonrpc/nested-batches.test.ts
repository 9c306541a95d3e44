import { describe, expect, it } from 'vitest';
import { readFrames } from '../../src/jsonrpc/frame.ts';

describe('a batch within a batch', () => {
  it('is no message', () => {
    const message = '{"jsonrpc":"2.0","method":"a"}';
    expect(readFrames(Buffer.from(`[[${message}],${message}]`))).toHaveLength(1);
  });

  it('costs no more than reading the line once, however deep it nests', () => {
    const depth = 4000;
    const line = Buffer.from('['.repeat(depth) + ']'.repeat(depth));
    const start = performance.now();
    expect(readFrames(line)).toEqual([]);
    expect(performance.now() - start).toBeLessThan(200);
  });

  it('does not overflow the stack', () => {
    const line = Buffer.from('['.repeat(12_000) + ']'.repeat(12_000));
    expect(readFrames(line)).toEqual([]);
  });
});
