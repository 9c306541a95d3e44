import { InvalidJson } from './invalid-json.ts';

/** Validates the number, `true`, `false` or `null` that starts at `at` and tells where it ends. */
export function skipScalar(bytes: Uint8Array, at: number): number {
  switch (bytes[at]) {
    case 0x74:
      return skipWord(bytes, at, 'true');
    case 0x66:
      return skipWord(bytes, at, 'false');
    case 0x6e:
      return skipWord(bytes, at, 'null');
    default:
      return skipNumber(bytes, at);
  }
}

function skipWord(bytes: Uint8Array, at: number, word: string): number {
  for (let k = 0; k < word.length; k++)
    if (bytes[at + k] !== word.charCodeAt(k)) throw new InvalidJson(at + k);
  return at + word.length;
}

function skipNumber(bytes: Uint8Array, at: number): number {
  let i = bytes[at] === 0x2d ? at + 1 : at;
  i = bytes[i] === 0x30 ? i + 1 : skipDigits(bytes, i);
  if (bytes[i] === 0x2e) i = skipDigits(bytes, i + 1);
  if (bytes[i] === 0x65 || bytes[i] === 0x45) {
    i++;
    if (bytes[i] === 0x2b || bytes[i] === 0x2d) i++;
    i = skipDigits(bytes, i);
  }
  return i;
}

function skipDigits(bytes: Uint8Array, at: number): number {
  let i = at;
  while (isDigit(bytes[i])) i++;
  if (i === at) throw new InvalidJson(i);
  return i;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

export function isHexDigit(byte: number | undefined): boolean {
  return isDigit(byte) || (byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}
