/** Where something stands in a JSON value. */
export type Path = readonly (string | number)[];

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
