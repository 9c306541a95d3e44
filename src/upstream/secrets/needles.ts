import { asText, type Closeness, type Reading, readingsOf } from './readings.ts';

/** Something that must not be shown. */
export interface Secret {
  readonly value: string;
  /** Whether parts of it are worth hiding too: it is a credential, not merely a value that was configured. */
  readonly isStrong: boolean;
}

/** One spelling of a secret, and how closely a text is compared with it. */
export interface Needle {
  readonly closeness: Closeness;
  readonly text: string;
  readonly isStrong: boolean;
}

/** Shorter ones are looked for as they read only: without white space or signs, they turn up everywhere. */
const MIN_LOOSE_LENGTH = 6;
const MIN_ENCODED_LENGTH = 4;

/** Every spelling of a secret that programs use, longest first. */
export function needlesOf({ value, isStrong }: Secret): Needle[] {
  const texts = new Map<string, Needle>();
  const add = (closeness: Closeness, text: string, min: number) => {
    if (text.length >= min) texts.set(`${closeness} ${text}`, { closeness, text, isStrong });
  };
  const [asWritten, ...unescaped] = readingsOf(value, asText);
  if (asWritten === undefined) return [];
  add('read', asWritten.read.trim() || value, 1);
  for (const reading of [asWritten, ...unescaped]) addLoose(reading, add);
  const encodings = encodingsOf(Buffer.from(value));
  for (const text of encodings) add('word', text, MIN_ENCODED_LENGTH);
  return [...texts.values()].toSorted((a, b) => b.text.length - a.text.length);
}

function addLoose(
  reading: Reading<string>,
  add: (closeness: Closeness, text: string, min: number) => void,
): void {
  add('dense', reading.dense, MIN_LOOSE_LENGTH);
  add('word', reading.word, MIN_LOOSE_LENGTH);
}

/** Base64 at each alignment, without what depends on its neighbours, in the middle and at the end; bytes in hexadecimal and decimal. */
function encodingsOf(bytes: Buffer): string[] {
  const aligned = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url');
    const ownEnd = Math.floor(((before + bytes.length) * 8) / 6);
    const start = Math.ceil((before * 8) / 6);
    return [text.slice(start, ownEnd), text.slice(start)];
  });
  return [...aligned.flat().map(wordOf), bytes.toString('hex'), bytes.join('')];
}

function wordOf(text: string): string {
  return text.replace(/[-_]/g, '').toLowerCase();
}
