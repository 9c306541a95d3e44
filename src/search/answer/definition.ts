import { compact } from '../../json/compact.ts';
import { memberBytes } from '../../json/members.ts';
import { isObject } from '../index/tool-text.ts';

/** What an answer needs of a tool's definition; the schema as text, exactly as the upstream wrote it. */
export interface Definition {
  readonly title: string | undefined;
  readonly description: string;
  /** Absent where the tool has none, and where it is beyond what is read. */
  readonly inputSchema: string | undefined;
  readonly parsedSchema: unknown;
  /** A schema there is no use in showing: it is beyond every budget. */
  readonly isSchemaTooLong: boolean;
  /** A plain call of the tool is refused by its server. */
  readonly needsTask: boolean;
}

/** Bytes of a schema beyond which it is not read: no answer has room for a tenth of it. */
const MAX_SCHEMA_BYTES = 1_000_000;

/** Reads the JSON text of one entry of `tools/list`. A text that is no JSON tells nothing; its tool keeps its name. */
export function readDefinition(json: string): Definition {
  const members = memberBytes(Buffer.from(json));
  const schema = members.get('inputSchema');
  const isSchemaTooLong = schema !== undefined && schema.length > MAX_SCHEMA_BYTES;
  const inputSchema =
    schema === undefined || isSchemaTooLong ? undefined : withoutDialect(compact(schema).toString('utf8'));
  return {
    title: stringIn(members.get('title')),
    description: stringIn(members.get('description')) ?? '',
    inputSchema,
    parsedSchema: inputSchema === undefined ? undefined : JSON.parse(inputSchema),
    isSchemaTooLong,
    needsTask: isTaskRequired(members.get('execution')),
  };
}

/**
 * Without the root's `$schema`, which names the dialect and tells a caller nothing. Cut only where it is the first
 * or last member, so that no other byte is touched.
 */
function withoutDialect(schema: string): string {
  return schema.replace(/^\{"\$schema":"[^"\\]*",?/, '{').replace(/,"\$schema":"[^"\\]{0,200}"\}$/, '}');
}

export function parameterNames({ parsedSchema }: Definition): string[] {
  return isObject(parsedSchema) && isObject(parsedSchema.properties)
    ? Object.keys(parsedSchema.properties)
    : [];
}

function isTaskRequired(json: Buffer | undefined): boolean {
  const execution: unknown = json === undefined ? undefined : JSON.parse(json.toString('utf8'));
  return isObject(execution) && execution.taskSupport === 'required';
}

function stringIn(json: Buffer | undefined): string | undefined {
  const value: unknown = json === undefined ? undefined : JSON.parse(json.toString('utf8'));
  return typeof value === 'string' ? value : undefined;
}
