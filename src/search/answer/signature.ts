import { isObject } from '../index/tool-text.ts';

const MAX_OPTIONAL = 12;
const MAX_ENUM_VALUES = 6;
const MAX_ENUM_CHARACTERS = 60;

/**
 * One line that says how to call a tool: `create_issue(repo: string, title: string, labels?: string[], …+3)`.
 * Required parameters are all there; of the optional ones only the first.
 */
export function signatureOf(name: string, inputSchema: unknown): string {
  const schema = isObject(inputSchema) ? inputSchema : {};
  const properties = new Map(Object.entries(isObject(schema.properties) ? schema.properties : {}));
  const required = new Set(
    Array.isArray(schema.required) ? schema.required.filter((key) => typeof key === 'string') : [],
  );
  const parameters = [...required].map((key) => `${key}: ${typeOf(properties.get(key))}`);
  const optional = [...properties].filter(([key]) => !required.has(key));
  for (const [key, property] of optional.slice(0, MAX_OPTIONAL))
    parameters.push(`${key}?: ${typeOf(property)}`);
  if (optional.length > MAX_OPTIONAL) parameters.push(`…+${optional.length - MAX_OPTIONAL}`);
  const alternatives = ['anyOf', 'oneOf', 'allOf'].filter((key) => Array.isArray(schema[key]));
  if (alternatives.length > 0) parameters.push(`…${alternatives.join(', ')}`);
  return `${name}(${parameters.join(', ')})`;
}

function typeOf(property: unknown): string {
  if (!isObject(property)) return 'any';
  if (property.const !== undefined) return enumOf([property.const]);
  if (Array.isArray(property.enum)) return enumOf(property.enum);
  if (typeof property.$ref === 'string') return property.$ref.split('/').at(-1) ?? 'any';
  const variants = property.anyOf ?? property.oneOf;
  if (Array.isArray(variants)) return joinTypes(variants.map(typeOf));
  if (Array.isArray(property.type)) {
    return joinTypes(property.type.map((type: unknown) => typeOf({ ...property, type })));
  }
  if (property.type === 'array') return arrayOf(typeOf(property.items));
  return typeof property.type === 'string' ? property.type : 'any';
}

function enumOf(values: readonly unknown[]): string {
  const shown: string[] = [];
  let characters = 0;
  for (const value of values.slice(0, MAX_ENUM_VALUES)) {
    // Parsing has already rounded a larger integer, and a wrong value is worse than none.
    const isRounded = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
    const text = isRounded ? 'number' : (JSON.stringify(value) ?? 'any');
    characters += text.length;
    if (shown.length > 0 && characters > MAX_ENUM_CHARACTERS) break;
    shown.push(text.slice(0, MAX_ENUM_CHARACTERS).replaceAll('"', "'"));
  }
  if (shown.length < values.length) shown.push('…');
  return shown.join('|');
}

function arrayOf(type: string): string {
  return type.includes('|') ? `(${type})[]` : `${type}[]`;
}

function joinTypes(types: readonly string[]): string {
  return [...new Set(types)].join('|');
}
