import fc from 'fast-check';

/** Numbers that `JSON.parse` would not give back as they were written, among plain ones. */
export const ODD_NUMBERS = [
  '0',
  '-0',
  '1.0',
  '1e400',
  '-1E-7',
  '0.10e+05',
  '9007199254740993',
  '-12345678901234567890.5',
];
export const ODD_STRINGS = [
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"\\ud83d\\ude00"',
  '"\\/\\b\\f\\n\\r\\t\\\\\\""',
  '"\u2028\u00e9\u{1f600}"',
  '"{[,:]}"',
  '"\\\\"',
];

export const spaces = fc
  .array(fc.constantFrom(' ', '\n', '\t', '\r'), { maxLength: 2 })
  .map((parts) => parts.join(''));

const numbers = fc.oneof(
  fc.constantFrom(...ODD_NUMBERS),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
);
export const strings = fc.oneof(
  fc.constantFrom(...ODD_STRINGS),
  fc.string({ unit: 'binary', maxLength: 8 }).map((text) => JSON.stringify(text)),
);
export const keys = fc.oneof(
  fc.constantFrom('"a"', '"\\u0061"', '"10"', '"2"', '"__proto__"', '"id"', '"result"', '""'),
  strings,
);

const spaced = (inner: fc.Arbitrary<string>) =>
  fc.tuple(spaces, inner, spaces).map((parts) => parts.join(''));

const { value, object } = fc.letrec<{ value: string; array: string; object: string; member: string }>(
  (tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(fc.constantFrom('null', 'true', 'false'), numbers, strings),
      tie('array'),
      tie('object'),
    ),
    array: fc
      .tuple(spaces, fc.array(spaced(tie('value')), { maxLength: 4 }))
      .map(([space, items]) => `[${items.length === 0 ? space : items.join(',')}]`),
    member: fc.tuple(spaced(keys), spaced(tie('value'))).map(([key, item]) => `${key}:${item}`),
    object: fc
      .tuple(spaces, fc.array(tie('member'), { maxLength: 4 }))
      .map(([space, members]) => `{${members.length === 0 ? space : members.join(',')}}`),
  }),
);

/** JSON text of any value, written in every way the grammar allows. */
export const jsonTexts = value;
/** JSON text of an object, duplicate keys included. */
export const objectTexts = object;
/** The same on one line, as messages over stdio are. */
export const lineTexts = value.map(onOneLine);

/** Line breaks between tokens become spaces; inside strings there are none. */
export function onOneLine(text: string): string {
  return text.replace(/[\n\r]/g, ' ');
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // the answer to the question
  }
}
