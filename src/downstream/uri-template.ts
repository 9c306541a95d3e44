/** What each kind of expression of RFC 6570 can expand to, as far as matching a URI needs it. */
const EXPRESSIONS: ReadonlyMap<string, string> = new Map([
  ['+', '.+'],
  ['#', '(?:#.*)?'],
  ['/', '(?:/.*)?'],
  ['.', '(?:\\..*)?'],
  [';', '(?:;.*)?'],
  ['?', '(?:\\?.*)?'],
  ['&', '(?:&.*)?'],
]);
const SIMPLE = '[^/?#]+';

/** Whether a URI could have been made from a template; templates that cannot be read match nothing. */
export function matchesTemplate(template: string, uri: string): boolean {
  const pattern = template
    .split(/(\{[^{}]*\})/)
    .map((part) => (part.startsWith('{') ? expression(part) : escapePattern(part)))
    .join('');
  return new RegExp(`^${pattern}$`, 's').test(uri);
}

function expression(part: string): string {
  const known = EXPRESSIONS.get(part.charAt(1));
  if (known !== undefined) return known;
  return part.includes('*') ? '.+' : SIMPLE;
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
