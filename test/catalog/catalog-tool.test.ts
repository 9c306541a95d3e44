import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_TOOL_NAME_LENGTH, readTools } from '../../src/catalog/catalog-tool.ts';
import { MAX_PROCESSOR_MS, processorMs } from '../fuzz/budget.ts';
import { toolText } from './samples.ts';

describe('readTools', () => {
  it('keeps every definition that is an object with a name, exactly as it was written', () => {
    const odd = '{ "inputSchema" : 1e400,\n"name":"\\u0061" , "x":[1.0] }';
    const tools = readTools('s', [odd, '{"name":"b","inputSchema":null}', '{"name":"c"}']);
    expect(tools.map(({ name, definition }) => [name, definition])).toEqual([
      ['a', odd],
      ['b', '{"name":"b","inputSchema":null}'],
      ['c', '{"name":"c"}'],
    ]);
  });

  it.each([
    'null',
    '"text"',
    '7',
    '[]',
    '[{"name":"a"}]',
    '{}',
    '{"name":42}',
    '{"name":""}',
    '{"name":null}',
  ])('leaves out %s and nothing beside it', (bad) => {
    expect(readTools('s', [toolText('a'), bad, toolText('b')]).map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('leaves out names that no answer has room for', () => {
    const longest = 'a'.repeat(MAX_TOOL_NAME_LENGTH);
    const tools = readTools('s', [toolText(`${longest}a`), toolText(longest), toolText('x'.repeat(500_000))]);
    expect(tools.map(({ name }) => name)).toEqual([longest]);
  });

  it('lets the last of two members count, as JSON does', () => {
    const tools = readTools('s', ['{"name":"a","name":"b"}', '{"name":"c","n\\u0061me":7}']);
    expect(tools.map(({ name }) => name)).toEqual(['b']);
  });

  it('reads a list of a megabyte in a moment, however it is nested', () => {
    const deep = `{"name":"a","x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const many = Array.from({ length: 8_000 }, (_, i) => toolText(`t${i}`));
    expect(processorMs(() => readTools('s', [deep, ...many]))).toBeLessThan(MAX_PROCESSOR_MS);
  });

  it('lets the first definition of a name count', () => {
    const tools = readTools('s', [toolText('a', { title: 'first' }), toolText('a', { title: 'second' })]);
    expect(tools.map(({ definition }) => definition)).toEqual([toolText('a', { title: 'first' })]);
  });

  it('takes any name, also those that objects have by themselves', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 })), (random) => {
        const names = [...new Set([...random, '__proto__', 'constructor', 'toString'])];
        const tools = readTools(
          's',
          names.map((name) => JSON.stringify({ name })),
        );
        expect(tools.map(({ server, name }) => [server, name])).toEqual(names.map((name) => ['s', name]));
      }),
    );
  });
});
