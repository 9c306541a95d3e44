import { skipString } from './scan.ts';

const BLANK = 0x20;
const QUOTE = 0x22;

/** The bytes of a valid JSON value without white space between its tokens. */
export function compact(bytes: Buffer): Buffer {
  const kept = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? BLANK;
    if (byte === QUOTE) {
      const end = skipString(bytes, at);
      length += bytes.copy(kept, length, at, end);
      at = end;
      continue;
    }
    if (byte > BLANK) kept[length++] = byte;
    at++;
  }
  return kept.subarray(0, length);
}
