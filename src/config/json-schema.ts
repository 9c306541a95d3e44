import * as z from 'zod/mini';
import { foreignKeys } from './foreign-keys.ts';
import { SERVER_KEYS } from './read-servers.ts';
import { entrySchema, fileSchema } from './schema.ts';

type Schema = z.core.JSONSchema.JSONSchema;

/** The JSON Schema of toolsift.json, for editors: our keys, and those of other clients by name. */
export function configJsonSchema(): Schema {
  // Editors know draft 7 best.
  const file: Schema = z.toJSONSchema(fileSchema, { target: 'draft-7' });
  const { $schema: _, ...server }: Schema = z.toJSONSchema(entrySchema, { target: 'draft-7' });
  const own = server.properties ?? {};
  const foreign = foreignKeys().map(({ key, own: spells }): [string, Schema] => {
    if (spells === undefined) return [key, { description: 'Written by other clients; has no effect here.' }];
    if (spells === 'disabled') return [key, { type: 'boolean', description: 'The opposite of "disabled".' }];
    return [key, { ...asSchema(own[spells]), description: `Another spelling of "${spells}".` }];
  });
  for (const key of SERVER_KEYS) {
    Object.assign(asSchema(file.properties?.[key]), {
      propertyNames: { pattern: '^[^/]+$' },
      additionalProperties: { $ref: '#/definitions/server' },
    });
  }
  return {
    ...file,
    title: 'toolsift.json',
    definitions: { server: { ...server, properties: { ...own, ...Object.fromEntries(foreign) } } },
  };
}

function asSchema(schema: Schema | boolean | undefined): Schema {
  return typeof schema === 'object' ? schema : {};
}
