import { expect, it } from 'vitest';
import { listedDefinition } from '../../../src/downstream/lists/listed-definition.ts';

it('a schema that nests very deep is listed like any other', () => {
  const depth = 5000;
  const nested = `${'{"properties":{"a":'.repeat(depth)}{}${'}}'.repeat(depth)}`;
  const definition = `{"name":"a","inputSchema":{"type":"object","properties":{"p":${nested}}}}`;
  expect(listedDefinition(definition, 'a') === definition).toBe(true);
});
