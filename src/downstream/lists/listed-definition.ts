import { memberOf } from '../../json/members.ts';
import { isArrayAt, isObjectAt, type Member, scanObject } from '../../json/scan.ts';
import { type Edit, joinChunks, splice } from '../../json/splice.ts';

/** Members that hosts reject a whole list for when they are of another kind. */
const MUST_BE_STRING = new Set(['title', 'description']);
const MUST_BE_OBJECT = new Set(['annotations', '_meta', 'execution']);
/** No host looks at schemas nested deeper than this, and nesting is read level by level. */
const MAX_MENDED_DEPTH = 8;
const EMPTY_SCHEMA = '{"type":"object"}';

/**
 * A tool's entry for our `tools/list`: the upstream's own text under the exposed name. Only what would make hosts
 * drop the whole list is mended: a schema that is missing or not of type object, `properties` of another kind,
 * boolean property schemas, members of the wrong kind.
 */
export function listedDefinition(definition: string, exposedName: string): string {
  const bytes = Buffer.from(definition);
  const { members } = scanObject(bytes, 0);
  const kept = members.filter((member) => isFit(bytes, member));
  const editsOf = ({ key, value }: Member): Edit[] => {
    if (key === 'name') return [rename(bytes, value, exposedName)];
    const isSchema = key === 'inputSchema' || key === 'outputSchema';
    return isSchema ? mendSchema(bytes, value.start, value.end) : [];
  };
  const hasSchema = kept.some(({ key }) => key === 'inputSchema');
  if (kept.length === members.length && hasSchema) return join(bytes, kept.flatMap(editsOf));
  const texts = kept.map(
    (member) => `${JSON.stringify(member.key)}:${editedText(bytes, member.value, editsOf(member))}`,
  );
  return `{${[...texts, ...(hasSchema ? [] : [`"inputSchema":${EMPTY_SCHEMA}`])].join(',')}}`;
}

function rename(bytes: Buffer, span: Edit['span'], exposedName: string): Edit {
  const name = JSON.stringify(exposedName);
  // Another spelling of the same name, e.g. with escapes, stays as the upstream wrote it.
  const isSame = JSON.parse(bytes.toString('utf8', span.start, span.end)) === exposedName;
  return { span, text: isSame ? bytes.subarray(span.start, span.end) : name };
}

function isFit(bytes: Buffer, { key, value }: Member): boolean {
  if (MUST_BE_STRING.has(key)) return bytes[value.start] === 0x22;
  if (key === 'outputSchema') return isObjectSchema(bytes, value);
  if (MUST_BE_OBJECT.has(key)) return isObjectAt(bytes, value.start);
  if (key === 'icons') return isArrayAt(bytes, value.start);
  return true;
}

/** A schema of another type describes results that hosts would then check against the wrong thing. */
function isObjectSchema(bytes: Buffer, { start }: Edit['span']): boolean {
  if (!isObjectAt(bytes, start)) return false;
  const type = memberOf(scanObject(bytes, start).members, 'type');
  return type === undefined || bytes.toString('utf8', type.start, type.end) === '"object"';
}

function mendSchema(bytes: Buffer, start: number, end: number): Edit[] {
  if (!isObjectAt(bytes, start)) return [{ span: { start, end }, text: EMPTY_SCHEMA }];
  const { members } = scanObject(bytes, start);
  const type = memberOf(members, 'type');
  const edits = members
    .filter(({ key }) => key === 'properties')
    .flatMap(({ value }) => mendProperties(bytes, value, 0));
  if (type === undefined) {
    const first = `"type":"object"${members.length === 0 ? '' : ','}`;
    edits.push({ span: { start: start + 1, end: start + 1 }, text: first });
  } else if (bytes.toString('utf8', type.start, type.end) !== '"object"') {
    edits.push({ span: type, text: '"object"' });
  }
  return edits;
}

function mendProperties(bytes: Buffer, span: Edit['span'], depth: number): Edit[] {
  if (depth > MAX_MENDED_DEPTH) return [];
  if (!isObjectAt(bytes, span.start)) return [{ span, text: '{}' }];
  return scanObject(bytes, span.start).members.flatMap(({ value }) => mendProperty(bytes, value, depth));
}

function mendProperty(bytes: Buffer, span: Edit['span'], depth: number): Edit[] {
  const text = bytes.toString('latin1', span.start, Math.min(span.end, span.start + 5));
  if (text === 'true') return [{ span, text: '{}' }];
  if (text === 'false') return [{ span, text: '{"not":{}}' }];
  if (!isObjectAt(bytes, span.start)) return [{ span, text: '{}' }];
  const { members } = scanObject(bytes, span.start);
  return members
    .filter(({ key }) => key === 'properties')
    .flatMap(({ value }) => mendProperties(bytes, value, depth + 1));
}

function editedText(bytes: Buffer, { start, end }: Edit['span'], edits: readonly Edit[]): string {
  const inside = edits.map(({ span, text }) => ({
    span: { start: span.start - start, end: span.end - start },
    text,
  }));
  return join(bytes.subarray(start, end), inside);
}

function join(bytes: Buffer, edits: readonly Edit[]): string {
  return joinChunks(splice(bytes, edits)).toString('utf8');
}
