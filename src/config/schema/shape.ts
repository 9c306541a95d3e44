/*
 * What JSON values may look like: each shape checks a value and says the same as JSON Schema. A schema library
 * would cost a tenth of the start-up time of Node, which `toolsift mcp` pays before it answers anything.
 *
 * A rule is the end of the sentence `"key" …`. It never repeats the value, which may be a secret.
 */

export interface Shape<T> {
  readonly jsonSchema: JsonSchema;
  readonly check: (value: unknown, path: Path, issues: Issue[]) => void;
  /** Never there: carries the type of the values. */
  readonly sample?: T;
}

export type ValueOf<S> = S extends Shape<infer T> ? T : never;
export type Path = readonly (string | number)[];
export type JsonSchema = { readonly [key: string]: unknown };
export type Issue = { readonly path: Path } & ({ readonly message: string } | { readonly unknownKey: true });

export interface Field<T> {
  readonly shape: Shape<T>;
  readonly description: string;
}

/** The value as what the shape says it is, if it is that, and otherwise everything that is wrong with it. */
export function checkShape<T>(
  shape: Shape<T>,
  value: unknown,
): { value: T | undefined; issues: readonly Issue[] } {
  const issues: Issue[] = [];
  shape.check(value, [], issues);
  return { value: issues.length === 0 ? (value as T) : undefined, issues };
}

export const anything: Shape<unknown> = { jsonSchema: {}, check: () => {} };

export const text = simple<string>('must be text in double quotes', { type: 'string' }, isText);

export const nonEmptyText: Shape<string> = {
  jsonSchema: { type: 'string', minLength: 1 },
  check(value, path, issues) {
    text.check(value, path, issues);
    if (value === '') issues.push({ path, message: 'must not be empty' });
  },
};

export const flag = simple<boolean>(
  'must be true or false',
  { type: 'boolean' },
  (value) => typeof value === 'boolean',
);

export function number(minimum: number, maximum: number, rule: string): Shape<number> {
  return simple(rule, { type: 'number', minimum, maximum }, (value) => isBetween(value, minimum, maximum));
}

export function wholeNumber(minimum: number, maximum: number): Shape<number> {
  const rule = `must be a whole number from ${minimum} to ${maximum}`;
  const fits = (value: unknown) => Number.isInteger(value) && isBetween(value, minimum, maximum);
  return simple(rule, { type: 'integer', minimum, maximum }, fits);
}

export function oneOf<const T extends string>(values: readonly T[], rule: string): Shape<T> {
  return simple(
    rule,
    { type: 'string', enum: values },
    (value) => isText(value) && values.some((one) => one === value),
  );
}

export function textOrList(rule: string): Shape<string | readonly string[]> {
  const fits = (value: unknown) => isText(value) || (Array.isArray(value) && value.every(isText));
  return simple(rule, { anyOf: [text.jsonSchema, { type: 'array', items: text.jsonSchema }] }, fits);
}

export function listOf<T>(items: Shape<T>, rule: string): Shape<readonly T[]> {
  return {
    jsonSchema: { type: 'array', items: items.jsonSchema },
    check(value, path, issues) {
      if (!Array.isArray(value)) issues.push({ path, message: rule });
      else for (const [at, item] of value.entries()) items.check(item, [...path, at], issues);
    },
  };
}

export function mapOf<T>(values: Shape<T>, rule: string): Shape<Readonly<Record<string, T>>> {
  return {
    jsonSchema: { type: 'object', additionalProperties: values.jsonSchema },
    check(value, path, issues) {
      if (!isObject(value)) issues.push({ path, message: rule });
      else for (const [key, each] of Object.entries(value)) values.check(each, [...path, key], issues);
    },
  };
}

/** An object of known keys, none of which is required. */
export function objectOf<F extends Readonly<Record<string, Field<unknown>>>>(
  fields: F,
  rule: string,
): Shape<{ readonly [K in keyof F]?: ValueOf<F[K]['shape']> }> {
  const known = new Map(Object.entries(fields));
  return {
    // Read by editors only: made when asked for.
    get jsonSchema() {
      const described = Object.entries(fields).map(([key, { shape, description }]) => [
        key,
        { description, ...shape.jsonSchema },
      ]);
      return { type: 'object', properties: Object.fromEntries(described), additionalProperties: false };
    },
    check(value, path, issues) {
      if (!isObject(value)) issues.push({ path, message: rule });
      else
        for (const [key, each] of Object.entries(value)) {
          const field = known.get(key);
          if (field === undefined) issues.push({ path: [...path, key], unknownKey: true });
          else field.shape.check(each, [...path, key], issues);
        }
    },
  };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function simple<T>(rule: string, jsonSchema: JsonSchema, fits: (value: unknown) => boolean): Shape<T> {
  return {
    jsonSchema,
    check(value, path, issues) {
      if (!fits(value)) issues.push({ path, message: rule });
    },
  };
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isBetween(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}
