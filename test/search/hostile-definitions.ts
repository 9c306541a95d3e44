/** Definitions of tools as a broken or malicious server may list them, by what is wrong with each. */
export const HOSTILE: ReadonlyMap<string, string> = new Map([
  ['types that double at each level', schema({ x: doubling(30, 'type') })],
  ['types and variants that multiply', schema({ x: doubling(12, 'anyOf') })],
  ['nesting of 8,000', schemaText(`{"x":${nested('{"type":"array","items":', '{}', 8000)}}`)],
  ['nesting of 30,000', schemaText(`{"x":${nested('{"type":"array","items":', '{}', 30_000)}}`)],
  ['arrays nested in an enum', schemaText(`{"x":{"enum":[${nested('[', '1', 20_000)}]}}`)],
  ['a constant nested deep', schemaText(`{"x":{"const":${nested('{"a":', '1', 20_000)}}}`)],
  ['nested variants', schemaText(`{"x":${nested('{"anyOf":[', '{}', 20_000, ']}')}}`)],
  [
    'references that lead back',
    schema({ x: { $ref: '#/properties/x' }, y: { $ref: `#/${'a/'.repeat(50_000)}` } }),
  ],
  ['a long reference', schema({ x: { $ref: `#/$defs/${'r'.repeat(200_000)}` } })],
  ['100,000 required names', schema({}, { required: range(100_000).map((i) => `p${i}`) })],
  ['one required name of 500 kB', schema({}, { required: ['p'.repeat(500_000)] })],
  [
    'required names beside each other in two cases',
    schema({}, { required: range(30_000).flatMap((i) => [`p${i}`, `P${i}`]) }),
  ],
  [
    '20,000 properties',
    schema(Object.fromEntries(range(20_000).map((i) => [`property${i}`, { type: 'string' }]))),
  ],
  ['100,000 enum values', schema({ x: { enum: range(100_000) } })],
  ['an enum value of 500 kB', schema({ x: { enum: ['e'.repeat(500_000)] } })],
  ['100,000 types', schema({ x: { type: range(100_000).map((i) => `t${i}`) } })],
  ['40,000 variants', schema({ x: { oneOf: range(40_000).map((i) => ({ type: `t${i}` })) } })],
  ['a type of 500 kB', schema({ x: { type: 't'.repeat(500_000) } })],
  ['a property name of 500 kB', schema({ ['p'.repeat(500_000)]: {} })],
  ['a description of 900 kB', text({ description: 'words and more '.repeat(60_000) })],
  ['a description without an end', text({ description: 'w'.repeat(900_000) })],
  ['a description of blanks', text({ description: ' \t\n'.repeat(100_000) })],
  ['a description of quotes and backslashes', text({ description: '\\"'.repeat(150_000) })],
  ['a description of sentence ends', text({ description: '. '.repeat(300_000) })],
  ['a title of 900 kB', text({ title: 'T'.repeat(900_000) })],
  ['a string of 900 kB in a schema', schema({ x: { description: 'd'.repeat(900_000) } })],
  ['a schema of blanks', `{"name":"odd_knot","inputSchema":{${' '.repeat(900_000)}}}`],
  [
    'a schema of line breaks between its tokens',
    schemaText(`{"a":{},\n\n${'"b" :\r\n{ } ,\t'.repeat(60_000)}"c":{}}`),
  ],
  [
    'lone surrogates',
    '{"name":"odd_knot","description":"\\ud800 \\udc00\\ud800","inputSchema":{"type":"object","properties":{"\\udfff":{"enum":["\\ud83d"]}}}}',
  ],
  [
    'keys that objects have by themselves',
    schemaText(
      '{"__proto__":{"type":"string"},"constructor":{"type":["a"]},"toString":{"items":{"__proto__":{}}}}',
    ),
  ],
  [
    'a prototype as a schema',
    '{"name":"odd_knot","__proto__":{"inputSchema":{}},"inputSchema":{"__proto__":{"properties":{"x":{}}},"properties":{"__proto__":[]}}}',
  ],
  ['a schema that is no object', '{"name":"odd_knot","inputSchema":[[[{}]]]}'],
  [
    'members of the wrong kind',
    '{"name":"odd_knot","title":7,"description":{"a":[]},"inputSchema":{"properties":[],"required":{"a":1}},"execution":[],"annotations":"x"}',
  ],
  ['a member 50,000 times', `{"name":"odd_knot",${'"description":"d",'.repeat(50_000)}"inputSchema":{}}`],
  [
    'numbers without end',
    schemaText(
      `{"x":{"const":1${'0'.repeat(400_000)}},"y":{"enum":[1e400,-1e400,0.${'1'.repeat(400_000)}]}}`,
    ),
  ],
  ['invisible characters', text({ description: '\u200b\u200d\ufeff\u202e'.repeat(60_000) })],
  ['accents without end', text({ description: `a${'\u0301'.repeat(200_000)}` })],
  ['characters that grow when normalised', text({ description: '\ufdfa'.repeat(150_000) })],
  ['words without spaces', text({ description: '搜索'.repeat(120_000) })],
  ['capitals and small letters in turn', text({ description: 'Aa'.repeat(300_000) })],
  ['words joined by signs', text({ description: 'a_b-c.'.repeat(120_000) })],
]);

/** What every definition here can be found by, and hardly anything else. */
export const HOSTILE_QUERY = 'odd knot';
export const HOSTILE_NAME = 'odd_knot';

function schema(properties: object, more: object = {}): string {
  return text({ inputSchema: { type: 'object', properties, ...more } });
}

function schemaText(properties: string): string {
  return `{"name":"odd_knot","inputSchema":{"type":"object","properties":${properties}}}`;
}

function text(members: object): string {
  return JSON.stringify({ name: 'odd_knot', ...members });
}

function doubling(depth: number, key: 'type' | 'anyOf'): object {
  let inner: object = { type: 'string' };
  for (let level = 0; level < depth; level++)
    inner = { type: ['array', 'array'], items: inner, ...(key === 'type' ? {} : { [key]: [inner, {}] }) };
  return inner;
}

function nested(open: string, core: string, depth: number, close = open.startsWith('[') ? ']' : '}'): string {
  return open.repeat(depth) + core + close.repeat(depth);
}

function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}
