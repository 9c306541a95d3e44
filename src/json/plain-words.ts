/** The bytes of a buffer, four at a time. */
export interface Words {
  readonly words: Int32Array;
  /** How many bytes the first word begins before the buffer. */
  readonly shift: number;
}

export function wordsOf(bytes: Uint8Array): Words {
  const shift = bytes.byteOffset & 3;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset - shift, (bytes.length + shift) >> 2);
  return { words, shift };
}

/**
 * Skips whole words inside a string that hold no quote, no backslash and no control character. The result is at or
 * before the first such byte, and less than a word before it where that matters.
 */
export function skipPlainWords({ words, shift }: Words, at: number): number {
  if (((at + shift) & 3) !== 0) return at;
  const { length } = words;
  let k = (at + shift) >> 2;
  while (k < length && !holdsStop(words[k] as number)) k++;
  return (k << 2) - shift;
}

/** The classic test for a zero byte in a word, for each of the three kinds at once; it never misses one. */
function holdsStop(word: number): boolean {
  const quote = word ^ 0x22222222;
  const backslash = word ^ 0x5c5c5c5c;
  const zeros = (quote - 0x01010101) & ~quote;
  return (
    ((zeros | ((backslash - 0x01010101) & ~backslash) | ((word - 0x20202020) & ~word)) & 0x80808080) !== 0
  );
}
