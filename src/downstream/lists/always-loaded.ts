import { scanObject } from '../../json/scan.ts';
import { type Edit, joinChunks, splice } from '../../json/splice.ts';

const KEY = 'anthropic/alwaysLoad';
const MARK = `"${KEY}":true`;

/**
 * A tool's entry in our `tools/list` with the mark that hosts who hide tools until they are searched for look at: it
 * was pinned in order to be seen. Nothing else of it changes.
 */
export function alwaysLoaded(definition: string): string {
  const bytes = Buffer.from(definition);
  const edits = markIn(bytes);
  return joinChunks(splice(bytes, edits)).toString('utf8');
}

function markIn(bytes: Buffer): Edit[] {
  const { members, end } = scanObject(bytes, 0);
  const metas = members.filter(({ key }) => key === '_meta');
  if (metas.length === 0) return [insertion(end - 1, `,"_meta":{${MARK}}`)];
  return metas.flatMap(({ value }) => {
    const own = scanObject(bytes, value.start).members;
    const said = own.filter(({ key }) => key === KEY);
    if (said.length > 0) return said.map((member) => ({ span: member.value, text: 'true' }));
    return [insertion(value.start + 1, own.length === 0 ? MARK : `${MARK},`)];
  });
}

function insertion(at: number, text: string): Edit {
  return { span: { start: at, end: at }, text };
}
