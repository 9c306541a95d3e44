import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { configJsonSchema } from '../../../src/config/schema/json-schema.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const schema = configJsonSchema();
const accepts = (value: unknown) => z.fromJSONSchema(schema).safeParse(value).success;

describe('the published JSON Schema', () => {
  const examples = ['.', ...readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(isExampleFolder)]
    .map((folder) => join(folder, 'toolsift.json'))
    .filter((file) => existsSync(join(root, file)));

  test.each(['(empty)', ...examples])('accepts the example %s', (file) => {
    expect(accepts(file === '(empty)' ? {} : parse(readFileSync(join(root, file), 'utf8')))).toBe(true);
  });

  test('accepts what the reference page shows', () => {
    const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8');
    const blocks = [...page.matchAll(/```jsonc\n([\s\S]*?)```/g)].map(([, block = '']) => parse(block));
    expect(blocks.length).toBeGreaterThan(1);
    for (const block of blocks) expect(accepts(block), JSON.stringify(block)).toBe(true);
  });

  test('has no key that the reference page does not name', () => {
    const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8');
    const { properties, definitions } = JSON.parse(JSON.stringify(schema));
    const keys = Object.keys({
      ...properties,
      ...properties.search.properties,
      ...definitions.server.properties,
    });
    expect(keys.filter((key) => !page.includes(`\`${key}\``) && !page.includes(`\`search.${key}\``))).toEqual(
      ['search'],
    );
  });

  test.each([
    [{ topk: 5 }],
    [{ topK: 0 }],
    [{ servers: [] }],
    [{ servers: { a: { comand: 'x' } } }],
    [{ mcpServers: { a: { command: 'x', args: 'y' } } }],
    [{ servers: { a: { url: 'x', type: 'pigeon' } } }],
  ])('refuses %j', (value) => {
    expect(accepts(value)).toBe(false);
  });

  test('has a sentence for every key', () => {
    const { properties: keys, definitions } = JSON.parse(JSON.stringify(schema));
    const properties: [string, { description?: string }][] = Object.entries({
      ...keys,
      ...definitions.server.properties,
    });
    expect(properties.length).toBeGreaterThan(40);
    expect(properties.filter(([, { description }]) => !description)).toEqual([]);
  });
});

function isExampleFolder(path: string): boolean {
  return path.startsWith('examples') && !path.includes('node_modules');
}
