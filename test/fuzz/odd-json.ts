import type { Chance } from './budget.ts';

/** Words that mean something in a definition, so that what is made up gets past the first look. */
const KEYS = [
  'type',
  'properties',
  'items',
  'anyOf',
  'oneOf',
  'allOf',
  'enum',
  'const',
  '$ref',
  '$defs',
  '$schema',
  'required',
  'description',
  'title',
  'default',
  'additionalProperties',
  'not',
  'inputSchema',
  'outputSchema',
  'name',
  'annotations',
  'execution',
  'taskSupport',
  '_meta',
  'icons',
  '__proto__',
  'constructor',
  'toString',
  'length',
  '',
  ' ',
  '"',
  '\\',
  '0',
  '-1',
  'a b',
  '搜索',
  '\ud800',
];
const TYPES = [
  'string',
  'number',
  'integer',
  'boolean',
  'array',
  'object',
  'null',
  'any',
  '',
  '#/$defs/x',
  'required',
];
const ALPHABETS = [
  'ab',
  'aA',
  ' \n\t',
  '. ',
  '_-./:',
  '\\"',
  '{}[],:',
  '搜索文件',
  'éàü',
  '\u0301a',
  '😀🎉',
  '\ufdfa',
  '\u200b\u202e',
  '\ud800',
  '012',
  'word Word ',
];

/** JSON text of about `bytes` bytes, valid nearly always, of kinds that readers stumble over. */
export function oddJson(chance: Chance, bytes: number): string {
  const kind = chance.below(6);
  if (kind === 0) return nestedText(chance, bytes);
  if (kind === 1) return wideText(chance, bytes);
  if (kind === 2) return JSON.stringify(oddText(chance, bytes));
  return JSON.stringify(oddValue(chance, { left: bytes, depth: 0 }));
}

/** A text of up to `length` characters from few different ones, as they break what reads texts. */
export function oddText(chance: Chance, length: number): string {
  const alphabet = chance.pick(ALPHABETS);
  const piece = Array.from({ length: 1 + chance.below(8) }, () => chance.pick([...alphabet])).join('');
  return piece.repeat(Math.ceil(chance.size(Math.max(length, 1)) / piece.length)).slice(0, length);
}

/** A schema that nests in one way to the very end. */
function nestedText(chance: Chance, bytes: number): string {
  const [open, close] = chance.pick([
    ['{"type":"array","items":', '}'],
    ['{"type":["array","array"],"items":', '}'],
    ['{"anyOf":[', ',{}]}'],
    ['{"anyOf":[{},', ']}'],
    ['{"type":"object","properties":{"a":', '}}'],
    ['{"enum":[', ']}'],
    ['{"const":', '}'],
    ['[', ']'],
    ['{"not":', '}'],
  ] as const);
  const depth = chance.size(Math.max(Math.floor(bytes / (open.length + close.length)), 1));
  return (
    open.repeat(depth) + chance.pick(['{}', '1', 'true', '"x"', '{"type":"string"}']) + close.repeat(depth)
  );
}

/** An object or array of very many members alike. */
function wideText(chance: Chance, bytes: number): string {
  const member = chance.pick([
    '{}',
    '1',
    '"x"',
    'true',
    '{"type":"string"}',
    '{"enum":[1,2,3]}',
    'null',
    '""',
  ]);
  const count = chance.size(Math.max(Math.floor(bytes / (member.length + 9)), 1));
  const members = Array.from({ length: count }, (_, i) => member.replace('x', `x${i}`));
  const key = chance.pick(['required', 'enum', 'type', 'anyOf', 'oneOf', 'allOf', 'items']);
  if (chance.isHit(0.5))
    return `{"type":"object","${key}":[${members.join()}],"properties":{"x":{"${key}":[${members.join()}]}}}`;
  const sameKey = chance.isHit(0.3);
  return `{"type":"object","properties":{${members.map((text, i) => `"p${sameKey ? '' : i}":${text}`).join()}}}`;
}

interface Room {
  left: number;
  readonly depth: number;
}

function oddValue(chance: Chance, room: Room): unknown {
  room.left -= 8;
  const isLeaf = room.left < 0 || room.depth > 12 || chance.isHit(0.25);
  if (isLeaf) return oddLeaf(chance, room);
  const inner: Room = { left: chance.below(Math.max(room.left, 1)), depth: room.depth + 1 };
  room.left -= inner.left;
  const count = chance.below(9);
  if (chance.isHit(0.3)) return Array.from({ length: count }, () => oddValue(chance, inner));
  // Own members even where a name is one that objects have by themselves.
  return Object.fromEntries(
    Array.from({ length: count }, () => [oddKey(chance, inner), oddValue(chance, inner)]),
  );
}

function oddKey(chance: Chance, room: Room): string {
  return chance.isHit(0.9) ? chance.pick(KEYS) : oddText(chance, Math.max(room.left, 1));
}

function oddLeaf(chance: Chance, room: Room): unknown {
  const kind = chance.below(8);
  if (kind === 0) return chance.pick([0, -1, 1e308, 2 ** 60, 0.1, Number.MIN_VALUE]);
  if (kind === 1) return chance.pick([true, false, null]);
  if (kind < 5) return chance.pick(TYPES);
  const text = oddText(chance, Math.min(Math.max(room.left, 4), 200_000));
  room.left -= text.length;
  return text;
}
