import * as z from 'zod/mini';
import { SERVER_KEYS } from './file-keys.ts';
import { foreignKeys } from './foreign-keys.ts';
import { descriptions } from './rules.ts';
import { entrySchema, fileSchema } from './schema.ts';

export type JsonSchema = { readonly [key: string]: unknown };

/** A comment, as JSON without comments has them. */
const COMMENT = '_|//|#|\\$comment$';
const COMMENTS = { [`^(${COMMENT})`]: {} };

/** The JSON Schema of toolsift.json, for editors: our keys, and those of other clients by name. */
export function configJsonSchema(): JsonSchema {
  const file = jsonSchemaOf(fileSchema);
  const entry = jsonSchemaOf(entrySchema);
  const own = propertiesOf(entry);
  const foreign = foreignKeys().map(({ key, own: spells }) => [key, foreignProperty(key, spells, own)]);
  const servers = SERVER_KEYS.map((key) => [
    key,
    {
      ...propertiesOf(file)[key],
      patternProperties: { [`^(?!${COMMENT})`]: { $ref: '#/definitions/server' } },
    },
  ]);
  return {
    // Editors know draft 7 best.
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'toolsift.json',
    ...file,
    properties: { ...propertiesOf(file), ...Object.fromEntries(servers) },
    patternProperties: COMMENTS,
    definitions: {
      server: {
        ...entry,
        properties: { ...own, ...Object.fromEntries(foreign) },
        patternProperties: COMMENTS,
      },
    },
  };
}

function jsonSchemaOf(schema: z.ZodMiniType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', metadata: descriptions });
  return rest;
}

function foreignProperty(
  key: string,
  spells: string | undefined,
  own: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  if (spells === undefined) return { description: 'Written by other clients; has no effect here.' };
  if (spells === 'disabled') return { description: 'The opposite of "disabled".', type: 'boolean' };
  if (spells === 'headers' && key !== 'http_headers')
    return { description: 'Names the variables that hold the values of headers.' };
  return { ...own[spells], description: `Another spelling of "${spells}".` };
}

function propertiesOf({ properties }: JsonSchema): Record<string, JsonSchema> {
  return typeof properties === 'object' && properties !== null ? { ...properties } : {};
}
