/** The searchable text of one tool, read from whatever the upstream listed. */
export interface ToolText {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly argumentNames: readonly string[];
  readonly argumentDescriptions: readonly string[];
  readonly enumValues: readonly string[];
}

const MAX_DEPTH = 2;
const MAX_ENUM_VALUES = 40;
const MAX_PROPERTIES = 200;
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
    title: stringOr(tool.title, stringOr(annotations?.title, '')),
    description: stringOr(tool.description, ''),
    argumentNames,
    argumentDescriptions,
    enumValues,
  };

  function collect(schema: unknown, depth: number): void {
    if (!isObject(schema) || depth > MAX_DEPTH || argumentNames.length > MAX_PROPERTIES) return;
    if (isObject(schema.properties)) {
      for (const [name, property] of Object.entries(schema.properties)) {
        argumentNames.push(name);
        readProperty(property, depth);
      }
    }
    for (const key of VARIANTS) {
      const variants = schema[key];
      if (Array.isArray(variants)) for (const variant of variants) collect(variant, depth + 1);
    }
  }

  function readProperty(property: unknown, depth: number): void {
    if (!isObject(property)) return;
    if (typeof property.description === 'string') argumentDescriptions.push(property.description);
    const items = isObject(property.items) ? property.items : undefined;
    for (const values of [property.enum, items?.enum]) {
      if (!Array.isArray(values)) continue;
      for (const value of values.slice(0, MAX_ENUM_VALUES)) {
        if (typeof value === 'string') enumValues.push(value);
      }
    }
    collect(property, depth + 1);
    collect(items, depth + 1);
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function stringOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}
