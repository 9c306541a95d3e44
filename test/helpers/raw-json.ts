/**
 * Reads the source text of JSON values without parsing them. Written for the tests alone and in another way than
 * the code under test, so that one mistake cannot hide in both.
 */

/** Source texts of the members of the object `text`, in order, keys decoded. */
export function membersOf(text: string): { key: string; value: string }[] {
  return itemsOf(text, '{').map((item) => {
    const keyEnd = skipString(item, 0);
    const colon = item.indexOf(':', keyEnd);
    const key: unknown = JSON.parse(item.slice(0, keyEnd));
    return { key: String(key), value: item.slice(colon + 1).trim() };
  });
}

/** Source text of the only member called `key`; undefined when there is none. */
export function memberText(text: string, key: string): string | undefined {
  const found = membersOf(text).filter((member) => member.key === key);
  if (found.length > 1) throw new Error(`${found.length} members ${key} in ${text.slice(0, 200)}`);
  return found[0]?.value;
}

/** Source text found by following the keys of `path` from the object `text`. */
export function textAt(text: string, ...path: string[]): string | undefined {
  let current: string | undefined = text;
  for (const key of path) current = current === undefined ? undefined : memberText(current, key);
  return current;
}

/** Source texts of the elements of the array `text`. */
export function elementsOf(text: string): string[] {
  return itemsOf(text, '[');
}

/** Splits an object or an array at its own commas: depth is counted, strings are jumped over. */
function itemsOf(text: string, open: '{' | '['): string[] {
  const body = text.trim();
  if (!body.startsWith(open)) throw new Error(`expected ${open} in ${body.slice(0, 80)}`);
  const items: string[] = [];
  let depth = 0;
  let start = 1;
  for (let at = 0; at < body.length; ) {
    const character = body.charAt(at);
    if (character === '"') {
      at = skipString(body, at);
      continue;
    }
    if (character === '{' || character === '[') depth += 1;
    if (character === '}' || character === ']') depth -= 1;
    if (depth === 0 || (depth === 1 && character === ',')) {
      items.push(body.slice(start, at).trim());
      start = at + 1;
    }
    at += 1;
  }
  return items.length === 1 && items[0] === '' ? [] : items;
}

/** Index behind the string literal that starts at `at`: its end is the first quote with an even run of backslashes. */
function skipString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charAt(end - 1 - backslashes) === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
  throw new Error(`string without an end at ${at}`);
}
