import { expect, it } from 'vitest';
import { listedDefinition } from '../../../src/downstream/lists/listed-definition.ts';
import { MAX_PROCESSOR_MS, processorMs } from '../../fuzz/budget.ts';

it('a schema that nests very deep is listed like any other', () => {
  const depth = 5000;
  const nested = `${'{"properties":{"a":'.repeat(depth)}{}${'}}'.repeat(depth)}`;
  const definition = `{"name":"a","inputSchema":{"type":"object","properties":{"p":${nested}}}}`;
  expect(listedDefinition(definition, 'a') === definition).toBe(true);
});

it('a schema of very many faults costs a moment, also where a member has to go', () => {
  const flags = Array.from({ length: 40_000 }, (_, i) => `"p${i}":true`).join();
  const strays = '"title":1,'.repeat(30_000);
  const definition = `{${strays}"name":"a","inputSchema":{"type":"object","properties":{${flags}}}}`;
  const listed = { text: '' };
  const spent = processorMs(() => {
    listed.text = listedDefinition(definition, 'a');
  });
  expect(Object.keys(JSON.parse(listed.text).inputSchema.properties)).toHaveLength(40_000);
  expect(spent).toBeLessThan(MAX_PROCESSOR_MS);
});
