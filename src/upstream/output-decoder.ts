import { StringDecoder } from 'node:string_decoder';

type Encoding = 'utf8' | 'utf16le' | 'utf16be';

/** Of a text in UTF-16 at least one byte in so many is a zero at its own parity: blanks, digits, line breaks. */
const ONE_ZERO_IN = 20;
/** No program writes these as text; in UTF-16 they are halves of letters. */
const LAST_HALF = 8;

/** Turns what programs write into text: UTF-8, or the UTF-16 of some programs on Windows. */
export class OutputDecoder {
  #encoding: Encoding = 'utf8';
  #decoder = new StringDecoder('utf8');
  #half = Buffer.alloc(0);

  write(chunk: Uint8Array): string {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.#switchTo(encodingOf(bytes) ?? this.#encoding);
    if (this.#encoding !== 'utf16be') return this.#decoder.write(bytes);
    const whole = Buffer.concat([this.#half, bytes]);
    const even = whole.length - (whole.length % 2);
    this.#half = whole.subarray(even);
    return Buffer.from(whole.subarray(0, even)).swap16().toString('utf16le');
  }

  #switchTo(encoding: Encoding): void {
    if (encoding === this.#encoding) return;
    this.#encoding = encoding;
    this.#decoder = new StringDecoder(encoding === 'utf8' ? 'utf8' : 'utf16le');
  }
}

/** The whole of what is there, as text. */
export function decodeOutput(bytes: Uint8Array): string {
  return new OutputDecoder().write(bytes).replace(/^\ufeff/, '');
}

/** What the bytes must be; undefined where they do not tell. */
function encodingOf(bytes: Buffer): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf16be';
  let [even, odd] = [0, 0];
  let hasHalves = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte <= LAST_HALF) hasHalves = true;
    if (byte !== 0) continue;
    if (at % 2 === 0) even++;
    else odd++;
  }
  if (odd * ONE_ZERO_IN >= bytes.length && odd > even * 2) return 'utf16le';
  if (even * ONE_ZERO_IN >= bytes.length && even > odd * 2) return 'utf16be';
  return hasHalves ? undefined : 'utf8';
}
