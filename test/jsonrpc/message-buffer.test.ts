import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageBuffer } from '../../src/jsonrpc/message-buffer.ts';
import { waitFor } from '../helpers/wait-for.ts';

/** Bytes outside the heap that are still in use. */
function buffersInUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().arrayBuffers;
}

describe('MessageBuffer', () => {
  it('gives back what was put in, however it was cut and whenever it had to wait', () => {
    const step = fc.record({ size: fc.oneof(fc.nat(40), fc.nat(40_000)), waits: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const buffer = new MessageBuffer(() => 1e9);
        const pieces = steps.map(({ size, waits }, index) => {
          const piece = Buffer.alloc(size, index + 1);
          buffer.append(piece);
          if (waits) buffer.settle();
          return piece;
        });
        const whole = Buffer.concat(pieces);
        expect(buffer.length).toBe(whole.length);
        expect(buffer.ends).toBeUndefined();
        expect(buffer.take().equals(whole)).toBe(true);
        expect(buffer.length).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  it('copies nothing of a message that comes in one piece', () => {
    const chunk = Buffer.from('before{"a":1}after');
    const buffer = new MessageBuffer(() => 100);
    buffer.append(chunk.subarray(6, 13));
    expect(buffer.take().buffer).toBe(chunk.buffer);
  });

  it('keeps both ends of a message above the limit, and nothing of it afterwards', () => {
    const whole = Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 251));
    const buffer = new MessageBuffer(() => 1500);
    for (let at = 0; at < whole.length; at += 7) {
      buffer.append(whole.subarray(at, at + 7));
      buffer.settle();
    }
    const { ends } = buffer;
    expect(ends?.bytes).toBe(5000);
    expect(ends?.head.equals(whole.subarray(0, 512))).toBe(true);
    expect(ends?.tail.equals(whole.subarray(-512))).toBe(true);
    buffer.take();
    buffer.append(Buffer.from('next'));
    expect(buffer.ends).toBeUndefined();
    expect(buffer.take().toString()).toBe('next');
  });

  it('does not hold on to the chunks that small pieces were cut from', async () => {
    const buffer = new MessageBuffer(() => 1e9);
    const before = buffersInUse();
    for (let n = 0; n < 2000; n++) {
      buffer.append(Buffer.alloc(64 * 1024).subarray(0, 9));
      buffer.settle();
    }
    await waitFor('the chunks to be given up', () => buffersInUse() - before < 1024 * 1024);
    expect(buffer.take()).toHaveLength(18_000);
  });
});
