import type { Edit, Node } from 'jsonc-parser';

/*
 * Edits of one member of a JSON object that leave everything else as it stands. jsonc-parser's own `modify`
 * moves comments at the end of a line to the next member and drops those between two members.
 */

/** How a text is laid out. */
export interface Layout {
  readonly lineBreak: string;
  readonly indent: string;
}

export function layoutOf(text: string, root: Node | undefined): Layout {
  const [first] = root?.children ?? [];
  const indent = first === undefined ? '' : spaceBefore(text, first.offset);
  return { lineBreak: text.includes('\r\n') ? '\r\n' : '\n', indent: indent || '  ' };
}

export function appendMember(
  text: string,
  object: Node,
  [key, value]: [string, unknown],
  layout: Layout,
): Edit[] {
  const last = object.children?.at(-1);
  if (last === undefined) return [fillObject(text, object, [key, value], layout)];
  if (!startsLine(text, last.offset)) {
    const member = `, ${JSON.stringify(key)}: ${JSON.stringify(value)}`;
    return [{ offset: endOf(last), length: 0, content: member }];
  }
  const { comma, lineEnd } = followingOf(text, last);
  const member = memberText([key, value], spaceBefore(text, last.offset), layout);
  const content = layout.lineBreak + member + (comma === undefined ? '' : ',');
  const appended = { offset: lineEnd, length: 0, content };
  return comma === undefined ? [{ offset: endOf(last), length: 0, content: ',' }, appended] : [appended];
}

export function replaceValue(text: string, member: Node, value: unknown, layout: Layout): Edit[] {
  const old = member.children?.[1];
  if (old === undefined) return [];
  const base = startsLine(text, member.offset) ? spaceBefore(text, member.offset) : '';
  const content = base === '' ? JSON.stringify(value) : valueText(value, base, layout);
  return [{ offset: old.offset, length: old.length, content }];
}

/** Removes a member with its comma and, where it has lines of its own, these and the comment at their end. */
export function removeMember(text: string, object: Node, member: Node): Edit[] {
  const around = text.slice(object.offset + 1, member.offset) + text.slice(endOf(member), endOf(object) - 1);
  if (/^[\s,]*$/.test(around)) return [{ offset: object.offset + 1, length: object.length - 2, content: '' }];

  const members = object.children ?? [];
  const previous = members[members.indexOf(member) - 1];
  const { comma, lineEnd } = followingOf(text, member);
  const edits: Edit[] = [];
  const cut = (offset: number, end: number) => edits.push({ offset, length: end - offset, content: '' });

  let end = comma !== undefined && text.slice(endOf(member), comma).trim() === '' ? comma + 1 : endOf(member);
  if (comma !== undefined && end <= comma) cut(comma, comma + 1);
  const previousComma = previous && followingOf(text, previous).comma;
  if (comma === undefined && previousComma !== undefined) cut(previousComma, previousComma + 1);

  let start = member.offset - spaceBefore(text, member.offset).length;
  const rest = /^[ \t]*(\r\n|\n|\r|$)/.exec(text.slice(lineEnd));
  if (startsLine(text, member.offset) && rest !== null && end > (comma ?? 0)) {
    end = lineEnd + rest[0].length;
  } else if (comma !== undefined) {
    start = member.offset;
    end += /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  }
  cut(start, end);
  return edits;
}

function fillObject(text: string, object: Node, member: [string, unknown], layout: Layout): Edit {
  const inner = text.slice(object.offset + 1, endOf(object) - 1);
  const base = indentOfLine(text, object.offset);
  const content = `${layout.lineBreak}${memberText(member, base + layout.indent, layout)}${layout.lineBreak}${base}`;
  const kept = inner.trimEnd();
  return { offset: object.offset + 1 + kept.length, length: inner.length - kept.length, content };
}

function memberText([key, value]: [string, unknown], base: string, layout: Layout): string {
  return `${base}${JSON.stringify(key)}: ${valueText(value, base, layout)}`;
}

function valueText(value: unknown, base: string, { indent, lineBreak }: Layout): string {
  return JSON.stringify(value, null, indent)
    .split('\n')
    .join(lineBreak + base);
}

/** What may stand between two members. */
const BETWEEN_MEMBERS = /[ \t]+|\r\n|\n|\r|,|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//y;

/** What follows a member: its comma, and where its line ends, comments included. */
function followingOf(text: string, member: Node): { comma: number | undefined; lineEnd: number } {
  let comma: number | undefined;
  let lineEnd = endOf(member);
  let isOnLine = true;
  BETWEEN_MEMBERS.lastIndex = lineEnd;
  for (let found = BETWEEN_MEMBERS.exec(text); found !== null; found = BETWEEN_MEMBERS.exec(text)) {
    const [token] = found;
    if (token === ',') {
      comma = found.index;
      lineEnd = found.index + 1;
    } else if (/[\r\n]/.test(token)) isOnLine = false;
    else if (token.startsWith('/') && isOnLine) lineEnd = found.index + token.length;
  }
  return { comma, lineEnd };
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

function startsLine(text: string, offset: number): boolean {
  const before = text[offset - spaceBefore(text, offset).length - 1];
  return before === undefined || before === '\n' || before === '\r';
}

/** The blanks directly before an offset. */
function spaceBefore(text: string, offset: number): string {
  return /[ \t]*$/.exec(text.slice(0, offset))?.[0] ?? '';
}

function indentOfLine(text: string, offset: number): string {
  const lineStart = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? '';
}
