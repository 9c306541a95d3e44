import { InvalidJson } from '../../json/invalid-json.ts';
import { isObjectAt, scanObject } from '../../json/scan.ts';
import { joinChunks, splice } from '../../json/splice.ts';
import { memberOf } from '../../jsonrpc/frame.ts';

/** A string member of an item of a list, e.g. the `uri` of a resource; undefined where the item has none. */
export function stringMember(item: string, key: string): string | undefined {
  const bytes = Buffer.from(item);
  if (!isObjectAt(bytes, 0)) return undefined;
  try {
    const span = memberOf(scanObject(bytes, 0).members, key);
    if (span === undefined) return undefined;
    const value: unknown = JSON.parse(bytes.toString('utf8', span.start, span.end));
    return typeof value === 'string' && value !== '' ? value : undefined;
  } catch (error) {
    if (error instanceof InvalidJson) return undefined;
    throw error;
  }
}

/** The item's text with another value for a string member and nothing else changed. */
export function withMember(item: string, key: string, value: string): string {
  const bytes = Buffer.from(item);
  const edits = scanObject(bytes, 0)
    .members.filter((member) => member.key === key)
    .map((member) => ({ span: member.value, text: JSON.stringify(value) }));
  return joinChunks(splice(bytes, edits)).toString('utf8');
}
