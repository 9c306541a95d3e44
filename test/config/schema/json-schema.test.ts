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
    const { search, serve, auth, access } = properties;
    const keys = Object.keys({
      ...properties,
      ...search.properties,
      ...serve.properties,
      ...auth.properties,
      ...auth.properties.oauth.properties,
      ...access.items.properties,
      ...definitions.server.properties,
    });
    const names = (key: string) => [key, `search.${key}`, `oauth.${key}`].map((name) => `\`${name}\``);
    // These two stand for the keys in them.
    const unnamed = keys.filter((key) => key !== 'search' && key !== 'oauth');
    expect(unnamed.filter((key) => !names(key).some((name) => page.includes(name)))).toEqual([]);
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
