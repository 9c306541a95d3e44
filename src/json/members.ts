import { InvalidJson } from './invalid-json.ts';
import { isObjectAt, type Member, type Span, scanObject, skipSpace } from './scan.ts';
import { joinChunks, splice } from './splice.ts';

/** Members of the object at `span`; none when something else stands there, or nothing does. */
export function membersAt(bytes: Buffer, span: Span | undefined): readonly Member[] {
  if (span === undefined || !isObjectAt(bytes, span.start)) return [];
  return scanObject(bytes, span.start).members;
}

/** The member that counts: the last one of that name, as for `JSON.parse`. */
export function memberOf(members: readonly Member[], key: string): Span | undefined {
  return members.findLast((member) => member.key === key)?.value;
}

/** Where the value stands to which these keys lead, one inside the other, from the object at `span`. */
export function spanAt(bytes: Buffer, span: Span | undefined, ...keys: readonly string[]): Span | undefined {
  return keys.reduce((inside, key) => memberOf(membersAt(bytes, inside), key), span);
}

/** Members of an object as the bytes of their values, the last of one name; none when this is no valid object. */
export function memberBytes(bytes: Buffer): ReadonlyMap<string, Buffer> {
  try {
    const members = membersAt(bytes, { start: skipSpace(bytes, 0), end: bytes.length });
    return new Map(members.map(({ key, value }) => [key, bytes.subarray(value.start, value.end)]));
  } catch (error) {
    if (error instanceof InvalidJson) return new Map();
    throw error;
  }
}

/** A string member of an object given as text, e.g. the `uri` of a resource; undefined where it has none. */
export function stringMember(json: string, key: string): string | undefined {
  const bytes = memberBytes(Buffer.from(json)).get(key);
  const value: unknown = bytes === undefined ? undefined : JSON.parse(bytes.toString('utf8'));
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The text of an object with another value for a string member and nothing else changed. */
export function withMember(json: string, key: string, value: string): string {
  const bytes = Buffer.from(json);
  const edits = scanObject(bytes, 0)
    .members.filter((member) => member.key === key)
    .map((member) => ({ span: member.value, text: JSON.stringify(value) }));
  return joinChunks(splice(bytes, edits)).toString('utf8');
}
