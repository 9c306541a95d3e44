import { type Chance, MAX_MESSAGE_BYTES } from './budget.ts';

const LINE_ENDS = ['\n', '\n', '\n', '\r\n', '\r'];
const ODD_TEXT = ['', ' ', '\u0000', '\ufeff', 'é😀', '"', '\\', '{}', '[]', 'null', '-1', '1e999', 'x'];
const ODD_IDS = ['1', '"1"', 'null', '1.0', '{}', '99999999999999999999', '""', '-0'];
const METHODS = [
  'notifications/message',
  'notifications/progress',
  'notifications/cancelled',
  'ping',
  'x/y',
  '',
];

/** What a server may write where events are expected, below the size of a message with a budget. */
export function hostileEvents(chance: Chance, answer: string): Buffer {
  const parts: string[] = [];
  let room = MAX_MESSAGE_BYTES - answer.length - 100;
  const count = 1 + chance.below(12);
  for (let n = 0; n < count; n++) {
    const part = hostilePart(chance).slice(0, Math.max(0, room));
    room -= Buffer.byteLength(part);
    if (room < 0) break;
    parts.push(part);
  }
  if (chance.isHit(0.5)) parts.push(`\n\ndata: ${answer}\n\n`);
  return Buffer.from(parts.join(''));
}

/** A message, or something like it, as text. */
export function oddMessage(chance: Chance): string {
  const id = chance.isHit(0.6) ? `"id":${chance.pick(ODD_IDS)},` : '';
  const method = chance.isHit(0.6) ? `"method":${JSON.stringify(chance.pick(METHODS))},` : '';
  const version = chance.isHit(0.9) ? '"jsonrpc":"2.0",' : '';
  const rest = chance.pick(['"params"', '"result"', '"error"']);
  return `{${version}${id}${method}${rest}:${oddValue(chance)}}`;
}

function oddValue(chance: Chance): string {
  const size = chance.size(MAX_MESSAGE_BYTES / 3);
  const makers = [
    () => '{}',
    () => '{"code":-32000,"message":"Session not found"}',
    () => `${'['.repeat(size)}${chance.isHit(0.7) ? ']'.repeat(size) : ''}`,
    () => `${'{"a":'.repeat(size / 5)}1${'}'.repeat(size / 5)}`,
    () => `"${'\\u0000'.repeat(size / 6)}"`,
    () => `"${'\\'.repeat(size)}"`,
    () => '9'.repeat(size + 1),
    () => `{${'"k":1,'.repeat(size / 6)}"k":1}`,
    () => `[${'0,'.repeat(size / 2)}0]`,
    () => ' '.repeat(size),
    () => JSON.stringify(chance.pick(ODD_TEXT).repeat(size)),
  ];
  return chance.pick(makers)();
}

function hostilePart(chance: Chance): string {
  const end = chance.pick(LINE_ENDS);
  const size = chance.size(MAX_MESSAGE_BYTES / 2);
  const text = chance.pick(ODD_TEXT);
  const makers = [
    () => `data: ${oddMessage(chance)}${end}${end}`,
    () => oddMessage(chance).replaceAll(',', `,${end}data:`),
    () => `data:${end}`.repeat(size / 6),
    () => end.repeat(size),
    () => `data: ${text}${end}${end}`.repeat(size / 12),
    () => `id: ${text.repeat(size)}${end}`,
    () => `id: ${size}${end}${end}`.repeat(size / 20),
    () => `retry: ${chance.pick(['0', '-1', '1e3', '9'.repeat(30), 'soon', ''])}${end}`,
    () => `event: ${text.repeat(size / 4)}${end}`,
    () => `: ${text.repeat(size)}${end}`,
    () => `${text}${end}`.repeat(size / 8),
    () => String.fromCharCode(...Array.from({ length: chance.size(2000) }, () => chance.below(0x300))),
  ];
  return chance.pick(makers)();
}

/** The bytes cut into chunks, sometimes into very many. */
export function cut(bytes: Buffer, chance: Chance): Buffer[] {
  const least = Math.max(1, Math.floor(bytes.length / 2000));
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = least + chance.size(65_536);
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}
