import { isObject } from '../text/json-value.ts';

export interface AdoptedValue {
  readonly value: unknown;
  /** Each with where in the value it belongs, e.g. `.PORT`. */
  readonly warnings: readonly { readonly at: string; readonly text: string }[];
}

/**
 * The members of an entry, with those of an object in its place that some clients nest: Zed has written
 * `"command": {"path", "args", "env"}`, Claude Desktop is shown `"transport": {"type", "url"}`.
 */
export function unfold(raw: Readonly<Record<string, unknown>>): [key: string, value: unknown][] {
  return Object.entries(raw).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'transport' && isObject(value)) return Object.entries(value);
    if (key !== 'command' || !isObject(value) || !('path' in value)) return [[key, value]];
    return Object.entries(value).map(([inner, each]) => [inner === 'path' ? 'command' : inner, each]);
  });
}

/** The value of one of our keys, where clients write it in other forms than we do. */
export function adoptValue(own: string, value: unknown): AdoptedValue {
  if (own === 'env' && Array.isArray(value)) return { value: assignments(value), warnings: [] };
  if (isObject(value) && Object.hasOwn(value, '__proto__')) {
    // Most readers of objects, the schema's among them, take it for something else than a member.
    const others = Object.entries(value).filter(([key]) => key !== '__proto__');
    const { value: rest, warnings } = adoptValue(own, Object.fromEntries(others));
    const warning = { at: '.__proto__', text: 'is no usable name and ignored' };
    return { value: rest, warnings: [...warnings, warning] };
  }
  if ((own === 'env' || own === 'headers') && isObject(value)) return plainTexts(value);
  return { value, warnings: [] };
}

/** `["NAME=value", "NAME"]` as an object; a name alone is inherited anyway. */
function assignments(list: readonly unknown[]): unknown {
  if (!list.every((each) => typeof each === 'string')) return list;
  const pairs = list.map((each) => [each, each.indexOf('=')] as const).filter(([, at]) => at > 0);
  return Object.fromEntries(pairs.map(([each, at]) => [each.slice(0, at), each.slice(at + 1)]));
}

/** Numbers and booleans as text, as clients hand them on; no comments; null names nothing. */
function plainTexts(map: Readonly<Record<string, unknown>>): AdoptedValue {
  const warnings = Object.entries(map)
    .filter(([, each]) => each === null)
    .map(([key]) => ({ at: `.${key}`, text: 'is null and ignored' }));
  const texts = Object.entries(map)
    .filter(([, each]) => each !== null)
    .map(([key, each]) => [key, typeof each === 'number' || typeof each === 'boolean' ? String(each) : each]);
  return { value: Object.fromEntries(texts), warnings };
}
