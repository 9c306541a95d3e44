import { cut } from '../../cut.ts';
import { isObject } from '../index/tool-text.ts';

const MAX_DEPTH = 6;
/** Schemas looked at for the type of one parameter. */
const MAX_STEPS = 60;
const MAX_VARIANTS = 12;
const MAX_ENUM_VALUES = 6;
const MAX_ENUM_CHARACTERS = 60;
const MAX_CHARACTERS = 240;
const BEYOND = '…';

/** The type of a parameter in a few characters, as `string`, `number[]` or `'a'|'b'`, whatever its schema holds. */
export function typeText(schema: unknown): string {
  let steps = 0;
  return cut(typeOf(schema, 0), MAX_CHARACTERS);

  function typeOf(property: unknown, depth: number): string {
    if (!isObject(property)) return 'any';
    if (depth > MAX_DEPTH || ++steps > MAX_STEPS) return BEYOND;
    if (property.const !== undefined) return enumOf([property.const]);
    if (Array.isArray(property.enum)) return enumOf(property.enum);
    if (typeof property.$ref === 'string') return nameOfReference(property.$ref);
    const variants = property.anyOf ?? property.oneOf;
    if (Array.isArray(variants)) return joined(variants, (variant) => typeOf(variant, depth + 1));
    const { type, items } = property;
    if (Array.isArray(type)) return joined([...new Set(type)], (one) => typeNamed(one, items, depth));
    return typeNamed(type, items, depth);
  }

  function typeNamed(type: unknown, items: unknown, depth: number): string {
    if (type === 'array') return arrayOf(typeOf(items, depth + 1));
    return typeof type === 'string' ? cut(type, MAX_ENUM_CHARACTERS) : 'any';
  }
}

function joined(variants: readonly unknown[], textOf: (variant: unknown) => string): string {
  const texts = new Set(variants.slice(0, MAX_VARIANTS).map(textOf));
  if (variants.length > MAX_VARIANTS) texts.add(BEYOND);
  return [...texts].join('|');
}

function nameOfReference(reference: string): string {
  return cut(reference.slice(reference.lastIndexOf('/') + 1), MAX_ENUM_CHARACTERS);
}

function enumOf(values: readonly unknown[]): string {
  const shown: string[] = [];
  let characters = 0;
  for (const value of values.slice(0, MAX_ENUM_VALUES)) {
    const text = valueText(value);
    characters += text.length;
    if (shown.length > 0 && characters > MAX_ENUM_CHARACTERS) break;
    shown.push(text.slice(0, MAX_ENUM_CHARACTERS).replaceAll('"', "'"));
  }
  if (shown.length < values.length) shown.push(BEYOND);
  return shown.join('|');
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, MAX_ENUM_CHARACTERS));
  // Parsing has already rounded a larger integer, and a wrong value is worse than none.
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER ? 'number' : String(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? '[…]' : '{…}';
}

function arrayOf(type: string): string {
  return type.includes('|') ? `(${type})[]` : `${type}[]`;
}
