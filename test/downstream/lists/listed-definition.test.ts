import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listedDefinition } from '../../../src/downstream/lists/listed-definition.ts';
import { membersOf } from '../../helpers/raw-json.ts';
import { jsonTexts, spaces } from '../../json/json-text.ts';

interface Listed {
  readonly name: string;
  readonly inputSchema: { readonly type: string; readonly properties?: Record<string, unknown> };
  readonly outputSchema?: { readonly type: string };
}

/** Definitions with a name and any other members, in any order and of any kind. */
const definitions = fc
  .tuple(
    fc.dictionary(
      fc.constantFrom(
        'inputSchema',
        'outputSchema',
        'title',
        'description',
        'annotations',
        '_meta',
        'icons',
        'x',
      ),
      fc.oneof(
        jsonTexts,
        fc.constantFrom(
          '{"type":"object"}',
          '{"properties":{"a":true,"b":{"properties":{"c":false}}}}',
          '{}',
          '[]',
        ),
      ),
    ),
    spaces,
    fc.nat(),
  )
  .map(([members, gap, at]) => {
    const texts = Object.entries(members).map(([key, value]) => `"${key}"${gap}:${value}`);
    const place = at % (texts.length + 1);
    return `{${[...texts.slice(0, place), `${gap}"name":"own"`, ...texts.slice(place)].join(',')}}`;
  });

const MENDED = new Set(['name', 'inputSchema', 'outputSchema']);
const isObjectText = (text: string) => text.startsWith('{');
const FITS: Readonly<Record<string, (text: string) => boolean>> = {
  title: (text) => text.startsWith('"'),
  description: (text) => text.startsWith('"'),
  annotations: isObjectText,
  _meta: isObjectText,
  outputSchema: isObjectText,
  icons: (text) => text.startsWith('['),
};

describe('listedDefinition', () => {
  it('leaves a sound definition exactly as it was written', () => {
    const definition =
      '{ "name":"a\\u0062", "x":1e400, "inputSchema" : {"type":"object","properties":{"p":{"type":["string"]}}}, "title":"\u00e9" }';
    expect(listedDefinition(definition, 'ab')).toBe(definition);
  });

  it('changes only the name where only the name has to change', () => {
    const write = (name: string) => `{"inputSchema":{"type":"object"}, "name" : ${name},"n":1.0}`;
    expect(listedDefinition(write('"a"'), 's__a')).toBe(write('"s__a"'));
  });

  it('always gives a definition that hosts take: it parses, is named, and has object schemas', () => {
    fc.assert(
      fc.property(definitions, fc.constantFrom('own', 's__own'), (definition, exposed) => {
        const listed = JSON.parse(listedDefinition(definition, exposed)) as Listed;
        expect(listed.name).toBe(exposed);
        expect(listed.inputSchema.type).toBe('object');
        for (const schema of [listed.inputSchema, listed.outputSchema ?? { type: 'object' }]) {
          expect(schema.type).toBe('object');
          const { properties = {} } = schema as Listed['inputSchema'];
          for (const property of Object.values(properties)) expect(property).toBeTypeOf('object');
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps every other member byte for byte, but for those of a kind hosts refuse', () => {
    fc.assert(
      fc.property(definitions, (definition) => {
        const others = (text: string) => membersOf(text).filter(({ key }) => !MENDED.has(key));
        const expected = others(definition).filter(({ key, value }) => FITS[key]?.(value) ?? true);
        expect(others(listedDefinition(definition, 's__own'))).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['is missing', '{"name":"a"}', '{"type":"object"}'],
    ['is null', '{"name":"a","inputSchema":null}', '{"type":"object"}'],
    ['is a text', '{"name":"a","inputSchema":"object"}', '{"type":"object"}'],
    ['is empty', '{"name":"a","inputSchema":{}}', '{"type":"object"}'],
    ['has no type', '{"name":"a","inputSchema":{"n":1.0}}', '{"type":"object","n":1.0}'],
    [
      'has another type',
      '{"name":"a","inputSchema":{"type":["object","null"],"n":1.0}}',
      '{"type":"object","n":1.0}',
    ],
  ])('mends an input schema that %s', (_, definition, schema) => {
    const found = membersOf(listedDefinition(definition, 'a')).find(({ key }) => key === 'inputSchema');
    expect(found?.value).toBe(schema);
  });

  it('spells out boolean schemas of properties, which some hosts cannot read, at any depth', () => {
    const definition =
      '{"name":"a","inputSchema":{"type":"object","properties":{"any":true,"none":false,"odd":7,"in":{"properties":{"x": true}}}}}';
    expect(listedDefinition(definition, 'a')).toBe(
      '{"name":"a","inputSchema":{"type":"object","properties":{"any":{},"none":{"not":{}},"odd":{},"in":{"properties":{"x": {}}}}}}',
    );
  });

  it('drops an output schema that is none, and keeps the rest', () => {
    const definition = '{"name":"a","outputSchema":[],"inputSchema":{"type":"object","n":1.0},"x":1e400}';
    expect(listedDefinition(definition, 'a')).toBe(
      '{"name":"a","inputSchema":{"type":"object","n":1.0},"x":1e400}',
    );
  });
});
