import { expect, test } from 'vitest';
import type { Segment } from '../../../src/search/index/segment.ts';
import { SegmentBuilder } from '../../../src/search/index/segment-builder.ts';
import { decodeSegment, encodeSegment } from '../../../src/search/index/segment-codec.ts';

function segment(): Segment {
  const builder = new SegmentBuilder('knots');
  builder.add({
    name: 'tie_knot',
    description: 'Ties a knot. Slowly.',
    inputSchema: { properties: { rope: {} } },
  });
  builder.add({ name: '結ぶ"\n', description: '結び目を作る' });
  return builder.finish();
}

const plain = ({ terms, ...arrays }: Segment) => ({
  ...Object.fromEntries(
    Object.entries(arrays).map(([key, value]) => [key, ArrayBuffer.isView(value) ? numbersOf(value) : value]),
  ),
  terms: [...terms()],
});

/** Also where the array is of another kind that holds the same. */
const numbersOf = (array: ArrayBufferView) => [
  ...new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
];

test('a segment comes back as it was, also from bytes at an odd place', () => {
  const bytes = encodeSegment(segment());
  const moved = new Uint8Array(bytes.length + 1);
  moved.set(bytes, 1);
  for (const kept of [bytes, moved.subarray(1)]) {
    const decoded = decodeSegment(kept);
    expect(decoded && plain(decoded)).toEqual(plain(segment()));
  }
});

test('a segment that is cut short or damaged anywhere is refused', () => {
  const bytes = encodeSegment(segment());
  for (let length = 0; length < bytes.length; length += 7) {
    expect(decodeSegment(bytes.slice(0, length)), `${length} bytes`).toBeUndefined();
  }
  for (let at = 0; at < bytes.length; at++) {
    const damaged = Uint8Array.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 0x10;
    expect(decodeSegment(damaged), `byte ${at}`).toBeUndefined();
  }
});
