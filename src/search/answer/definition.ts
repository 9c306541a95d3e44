import { isObject } from '../index/tool-text.ts';
import { compactJson, rawMembers } from './raw-json.ts';

/** What an answer needs of a tool's definition; the schema as text, exactly as the upstream wrote it. */
export interface Definition {
  readonly title: string | undefined;
  readonly description: string;
  readonly inputSchema: string | undefined;
  readonly parsedSchema: unknown;
  /** A plain call of the tool is refused by its server. */
  readonly needsTask: boolean;
}

/** Reads the JSON text of one entry of `tools/list`. */
export function readDefinition(json: string): Definition {
  const members = rawMembers(json);
  const schema = members.get('inputSchema');
  const inputSchema = schema === undefined ? undefined : withoutDialect(compactJson(schema));
  return {
    title: readString(members.get('title')),
    description: readString(members.get('description')) ?? '',
    inputSchema,
    parsedSchema: inputSchema === undefined ? undefined : parse(inputSchema),
    needsTask: isTaskRequired(members.get('execution')),
  };
}

/**
 * Without the root's `$schema`, which names the dialect and tells a caller nothing. Cut only where it is the first
 * or last member, so that no other byte is touched.
 */
function withoutDialect(schema: string): string {
  return schema.replace(/^\{"\$schema":"[^"\\]*",?/, '{').replace(/,"\$schema":"[^"\\]*"\}$/, '}');
}

export function parameterNames({ parsedSchema }: Definition): string[] {
  return isObject(parsedSchema) && isObject(parsedSchema.properties)
    ? Object.keys(parsedSchema.properties)
    : [];
}

function isTaskRequired(json: string | undefined): boolean {
  const execution = json === undefined ? undefined : parse(json);
  return isObject(execution) && execution.taskSupport === 'required';
}

function readString(json: string | undefined): string | undefined {
  const value = json === undefined ? undefined : parse(json);
  return typeof value === 'string' ? value : undefined;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // A definition that is no JSON has no schema to show; the tool stays findable by name.
    return undefined;
  }
}
