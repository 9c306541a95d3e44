import { expect, test } from 'vitest';
import { readDefinition } from '../../../src/search/answer/definition.ts';
import { DescribedTool, differenceFrom } from '../../../src/search/answer/differences.ts';

const TEXT = 'Create a new record in the table that was chosen';

function described(server: string, name: string, description: string, parameters: readonly string[] = []) {
  const properties = Object.fromEntries(parameters.map((key) => [key, { type: 'string' }]));
  const inputSchema = { type: 'object', properties };
  return new DescribedTool(
    { server, name },
    readDefinition(JSON.stringify({ name, description, inputSchema })),
  );
}

test('twins of two servers are told apart by what they take', () => {
  const earlier = [described('one', 'create_record', TEXT, ['table', 'base'])];
  expect(differenceFrom(earlier, described('two', 'createRecord', 'Adds', ['table', 'view']))).toBe(
    'like one/create_record; only here: view; only there: base',
  );
  expect(differenceFrom(earlier, described('two', 'insert', `${TEXT}.`, ['table', 'base']))).toBe(
    'like one/create_record; same parameters, other description',
  );
  expect(differenceFrom(earlier, described('two', 'insert', TEXT, ['table', 'base']))).toBe(
    'like one/create_record; same description and parameters',
  );
});

test('tools of one server, of other words or of texts of another length are no twins', () => {
  const earlier = [described('one', 'create_record', TEXT)];
  const others = [
    described('one', 'insert', TEXT),
    described('two', 'insert', 'Send an email message to the people of a group'),
    described('two', 'insert', `${TEXT}. ${'Say which table it was. '.repeat(4)}`),
    described('two', 'insert', 'Create record'),
  ];
  expect(others.map((other) => differenceFrom(earlier, other))).toEqual(others.map(() => undefined));
});
