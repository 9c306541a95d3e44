/** The searchable text of one tool, read from whatever the upstream listed. */
export interface ToolText {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly argumentNames: readonly string[];
  readonly argumentDescriptions: readonly string[];
  readonly enumValues: readonly string[];
  /** As its annotations hint. */
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
}

const MAX_DEPTH = 2;
const MAX_ENUM_VALUES = 40;
/** No more schemas are looked into once so many arguments were found. */
const MAX_PROPERTIES = 200;
/** Arguments of one schema, the names of some thousand fill a field. */
const MAX_SIBLINGS = 1_000;
const MAX_VARIANTS = 200;
/** Longer texts say nothing more; fields are cut to less. */
const MAX_CHARACTERS = 8_000;
const VARIANTS = ['anyOf', 'oneOf', 'allOf'] as const;

/** Undefined when the entry has no usable name; an odd schema costs only itself. */
export function readToolText(tool: unknown): ToolText | undefined {
  if (!isObject(tool) || typeof tool.name !== 'string' || tool.name === '') return undefined;
  const annotations = isObject(tool.annotations) ? tool.annotations : undefined;
  const argumentNames: string[] = [];
  const argumentDescriptions: string[] = [];
  const enumValues: string[] = [];
  collect(tool.inputSchema, 0);
  return {
    name: tool.name,
    title: beginning(stringOr(tool.title, stringOr(annotations?.title, ''))),
    description: beginning(stringOr(tool.description, '')),
    argumentNames,
    argumentDescriptions,
    enumValues,
    isReadOnly: annotations?.readOnlyHint === true,
    isDestructive: annotations?.destructiveHint === true,
  };

  function collect(schema: unknown, depth: number): void {
    if (!isObject(schema) || depth > MAX_DEPTH || argumentNames.length > MAX_PROPERTIES) return;
    if (isObject(schema.properties)) {
      for (const name of Object.keys(schema.properties).slice(0, MAX_SIBLINGS)) {
        argumentNames.push(beginning(name));
        readProperty(schema.properties[name], depth);
      }
    }
    for (const key of VARIANTS) {
      const variants = schema[key];
      if (!Array.isArray(variants)) continue;
      for (const variant of variants.slice(0, MAX_VARIANTS)) collect(variant, depth + 1);
    }
  }

  function readProperty(property: unknown, depth: number): void {
    if (!isObject(property)) return;
    if (typeof property.description === 'string') argumentDescriptions.push(beginning(property.description));
    const items = isObject(property.items) ? property.items : undefined;
    for (const values of [property.enum, items?.enum]) {
      if (!Array.isArray(values)) continue;
      for (const value of values.slice(0, MAX_ENUM_VALUES)) {
        if (typeof value === 'string') enumValues.push(beginning(value));
      }
    }
    collect(property, depth + 1);
    collect(items, depth + 1);
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function beginning(text: string): string {
  return text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS) : text;
}

function stringOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}
