import { foreignKeys } from '../entry/foreign-keys.ts';
import { SERVER_KEYS } from '../entry/read-servers.ts';
import { entryFields, entryShape, fileFields, fileShape } from './schema.ts';
import type { Field, JsonSchema } from './shape.ts';

const OWN_FIELDS = new Map<string, Field<unknown>>(Object.entries(entryFields));

/** The JSON Schema of toolsift.json, for editors: our keys, and those of other clients by name. */
export function configJsonSchema(): JsonSchema {
  const own = propertiesOf(entryShape.jsonSchema);
  const foreign = foreignKeys().map(({ key, own: spells }) => [key, foreignProperty(spells)]);
  const servers = SERVER_KEYS.map((key) => [
    key,
    {
      description: fileFields[key].description,
      type: 'object',
      propertyNames: { pattern: '^[^/]+$' },
      additionalProperties: { $ref: '#/definitions/server' },
    },
  ]);
  return {
    // Editors know draft 7 best.
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'toolsift.json',
    ...fileShape.jsonSchema,
    properties: { ...propertiesOf(fileShape.jsonSchema), ...Object.fromEntries(servers) },
    definitions: {
      server: { ...entryShape.jsonSchema, properties: { ...own, ...Object.fromEntries(foreign) } },
    },
  };
}

function foreignProperty(spells: string | undefined): JsonSchema {
  if (spells === undefined) return { description: 'Written by other clients; has no effect here.' };
  if (spells === 'disabled') return { description: 'The opposite of "disabled".', type: 'boolean' };
  return { description: `Another spelling of "${spells}".`, ...OWN_FIELDS.get(spells)?.shape.jsonSchema };
}

function propertiesOf({ properties }: JsonSchema): object {
  return typeof properties === 'object' && properties !== null ? properties : {};
}
