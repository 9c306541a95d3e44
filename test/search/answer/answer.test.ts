import { describe, expect, test } from 'vitest';
import { writeSearchAnswer } from '../../../src/search/answer/answer.ts';
import { estimateTokens } from '../../../src/search/answer/token-estimate.ts';

const SCHEMA =
  '{"type":"object","properties":{"2":{"const":9007199254740993},"1":{"type":"string"}},"required":["1"]}';
const COPY = `{"name":"copy","description":"Copy a file. Slowly.","inputSchema":${SCHEMA},"_meta":{"inputSchema":1}}`;

function answer(
  definitions: Record<string, string>,
  options: Partial<Parameters<typeof writeSearchAnswer>[0]> = {},
) {
  const hits = Object.keys(definitions).map((key) => {
    const [server = '', name = ''] = key.split('/');
    return { server, name };
  });
  return writeSearchAnswer({
    query: 'copy',
    hits,
    definitionOf: (server, name) => definitions[`${server}/${name}`],
    matched: hits.length,
    known: 40,
    ...options,
  });
}

function bigDefinition(name: string, properties: number): string {
  const entries = Array.from({ length: properties }, (_, i) => [
    `field_${i}`,
    { type: 'string', description: 'a value of the record' },
  ]);
  const inputSchema = {
    type: 'object',
    properties: Object.fromEntries(entries),
    required: [`field_${properties - 1}`],
  };
  return JSON.stringify({ name, description: `Writes ${name}. More words.`, inputSchema });
}

describe('writeSearchAnswer', () => {
  test('copies the input schema as the upstream wrote it', () => {
    const text = answer({ 'disk/copy': COPY });
    expect(text).toBe(
      `{"tools":[{"server":"disk","name":"copy","description":"Copy a file. Slowly.","inputSchema":${SCHEMA}}],"matched":1,"known":40,"unavailable":[]}`,
    );
  });

  test('drops only white space outside strings from a schema', () => {
    const pretty = '{ "name": "a", "inputSchema": {\n  "type": "object",\n "title": "a \\" b\\\\"\n} }';
    expect(answer({ 's/a': pretty })).toContain('"inputSchema":{"type":"object","title":"a \\" b\\\\"}}');
  });

  test('brief shows the first sentence and a signature', () => {
    const { tools } = JSON.parse(answer({ 'disk/copy': COPY }, { detail: 'brief' }));
    expect(tools).toEqual([
      {
        server: 'disk',
        name: 'copy',
        description: 'Copy a file.',
        signature: 'copy(1: string, 2?: number)',
      },
    ]);
  });

  test('stays within the budget, keeps required parameters, and says how to get what was left out', () => {
    const definitions = Object.fromEntries(
      Array.from({ length: 6 }, (_, i) => [`s/tool${i}`, bigDefinition(`tool${i}`, 60)]),
    );
    const text = answer(definitions, { maxTokens: 2_500 });
    const { tools, note } = JSON.parse(text);
    expect(estimateTokens(text)).toBeLessThanOrEqual(2_500);
    expect(tools).toHaveLength(6);
    expect(tools[0].inputSchema.properties.field_59).toBeDefined();
    expect(tools[5]).toMatchObject({ schema: 'omitted' });
    expect(tools[5].signature).toContain('field_59: string');
    expect(note).toContain('k 1');
  });

  test('gives later hits their schemas from the first part of the budget only, the first two from all of it', () => {
    const definitions = Object.fromEntries(
      Array.from({ length: 6 }, (_, i) => [`s/tool${i}`, bigDefinition(`tool${i}`, 12)]),
    );
    const schemasWith = (maxTokens: number) => {
      const { tools } = JSON.parse(answer(definitions, { maxTokens })) as {
        tools: { inputSchema?: object }[];
      };
      return tools.map(({ inputSchema }) => inputSchema !== undefined);
    };
    const cost = estimateTokens(bigDefinition('tool0', 12));
    // Room for all of them, which later hits may only use the first part of.
    expect(schemasWith(7 * cost)).toEqual([true, true, false, false, false, false]);
    expect(schemasWith(40 * cost)).toEqual([true, true, true, true, true, true]);
    expect(schemasWith(3.2 * cost).slice(0, 2)).toEqual([true, false]);
  });

  test('shows the schema of a lone hit even beyond the budget', () => {
    const { tools } = JSON.parse(answer({ 's/big': bigDefinition('big', 200) }, { maxTokens: 500 }));
    expect(tools[0].inputSchema.properties.field_199).toBeDefined();
  });

  test('says how many hits were left out when even names do not fit', () => {
    const definitions = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`s/t${i}`, bigDefinition(`t${i}`, 2)]),
    );
    const text = answer(definitions, { maxTokens: 1_000 });
    expect(estimateTokens(text)).toBeLessThanOrEqual(1_000);
    expect(JSON.parse(text).note).toMatch(/\d+ more did not fit/);
  });

  test('cuts a long description at a sentence, with a mark', () => {
    const description = 'This sentence has six words in. '.repeat(60);
    const { tools } = JSON.parse(
      answer({ 's/long': JSON.stringify({ name: 'long', description, inputSchema: {} }) }),
    );
    expect(tools[0].description).toMatch(/words in\. \[…\]$/);
    expect(tools[0].description.length).toBeLessThan(710);
  });

  test('tells near-duplicates of other servers apart', () => {
    const old = '{"name":"web_search","description":"Search the web","inputSchema":{"properties":{"q":{}}}}';
    const young =
      '{"name":"web-search","description":"Search the web","inputSchema":{"properties":{"query":{},"n":{}}}}';
    const { tools } = JSON.parse(answer({ 'old/web_search': old, 'new/web-search': young }));
    expect(tools[1].differs).toBe('like old/web_search; only here: query, n; only there: q');
  });

  test('names what is near and what is not searched when nothing fits', () => {
    const unavailable = [
      { server: 'git', state: 'failed', reason: 'exited with code 1', fix: 'check "command"' },
    ];
    const text = answer({}, { nearest: [{ server: 'disk', name: 'copy' }], servers: ['disk'], unavailable });
    const parsed = JSON.parse(text);
    expect(parsed).toMatchObject({ tools: [], matched: 0, known: 40, unavailable });
    expect(parsed.note).toContain('Nearest names: disk/copy.');
    expect(parsed.note).toContain('Servers: disk.');
  });

  test('lists names alone', () => {
    expect(answer({ 'disk/copy': COPY }, { detail: 'names', query: '' })).toContain(
      '"tools":[{"server":"disk","name":"copy"}]',
    );
  });

  test('marks a tool that can be called only as a task, in every form', () => {
    const required = { server: 's', name: 'long', requires: expect.stringContaining('as a task') };
    const tool = { name: 'long', description: 'Runs long.', inputSchema: { type: 'object' } };
    const needing = JSON.stringify({ ...tool, execution: { taskSupport: 'required' } });
    for (const options of [{}, { detail: 'brief' }, { detail: 'names' }, { maxTokens: 1 }] as const) {
      expect(JSON.parse(answer({ 's/long': needing }, options)).tools).toEqual([
        expect.objectContaining(required),
      ]);
    }
    const able = JSON.stringify({ ...tool, execution: { taskSupport: 'optional' } });
    expect(answer({ 's/long': able })).not.toContain('requires');
  });

  test.each([
    ['the best hit is near', { coverage: 0.2, likeness: 0.5 }, undefined],
    ['its words are there', { coverage: 0.9, likeness: 0.1 }, undefined],
    ['it is neither', { coverage: 0.4, likeness: 0.3 }, 'these are the nearest'],
    ['it is far', { coverage: 0.1, likeness: 0.1 }, 'none of the known tools seems to do this'],
    ['meanings are not compared', { coverage: 0.1 }, 'these are the nearest'],
  ])('says how weak a match is: %s', (_, doubt, said) => {
    const { note } = JSON.parse(answer({ 'files/copy': COPY }, doubt)) as { note?: string };
    if (said === undefined) expect(note).toBeUndefined();
    else expect(note).toContain(said);
  });

  test('names what ranks nearly as high on other servers', () => {
    const rivals = [{ server: 'disk', name: 'copy' }];
    const { note } = JSON.parse(answer({ 'files/copy': COPY }, { rivals })) as { note?: string };
    expect(note).toContain('files/copy, disk/copy');
  });
});
