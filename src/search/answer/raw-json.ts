/**
 * Reads members of a JSON object as text. Definitions were parsed once when they arrived, so they are known to be
 * valid; what matters here is that a schema is copied, not rebuilt: numbers, key order and escapes stay.
 */
export function rawMembers(json: string): Map<string, string> {
  const members = new Map<string, string>();
  let at = json.indexOf('{') + 1;
  while (at > 0 && at < json.length) {
    const keyStart = json.indexOf('"', at);
    if (keyStart === -1) break;
    const keyEnd = endOfString(json, keyStart);
    const valueStart = skipSpace(json, json.indexOf(':', keyEnd) + 1);
    const valueEnd = endOfValue(json, valueStart);
    members.set(JSON.parse(json.slice(keyStart, keyEnd)) as string, json.slice(valueStart, valueEnd));
    at = skipSpace(json, valueEnd);
    if (json.charAt(at) !== ',') break;
    at++;
  }
  return members;
}

/** The same JSON without white space between its tokens. */
export function compactJson(json: string): string {
  return json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
}

function endOfValue(json: string, start: number): number {
  const first = json.charAt(start);
  if (first === '"') return endOfString(json, start);
  if (first !== '{' && first !== '[') return endOfScalar(json, start);
  let depth = 0;
  let at = start;
  while (at < json.length) {
    const character = json.charAt(at);
    if (character === '"') {
      at = endOfString(json, at);
      continue;
    }
    if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    at++;
    if (depth === 0) return at;
  }
  return at;
}

function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end + 1;
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json.charAt(at - 1 - backslashes) === '\\') backslashes++;
  return backslashes % 2 === 1;
}

function endOfScalar(json: string, start: number): number {
  let end = start;
  while (end < json.length && !/[\s,}\]]/.test(json.charAt(end))) end++;
  return end;
}

function skipSpace(json: string, start: number): number {
  let at = start;
  while (/\s/.test(json.charAt(at)) && at < json.length) at++;
  return at;
}
