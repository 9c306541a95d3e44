/** A tool of an upstream, under the key (server, name). */
export interface CatalogTool {
  readonly server: string;
  readonly name: string;
  /** Its definition as the upstream wrote it, JSON text. */
  readonly definition: string;
}

/**
 * The usable tools of a list: everything that is an object with a name, whatever else is wrong with it. Where a
 * server lists a name twice, its first definition counts.
 *
 * @param definitions the items of `tools/list`, JSON text
 */
export function readTools(server: string, definitions: readonly string[]): CatalogTool[] {
  const tools = new Map<string, CatalogTool>();
  for (const definition of definitions) {
    const name = nameOf(JSON.parse(definition));
    if (name !== undefined && !tools.has(name)) tools.set(name, { server, name, definition });
  }
  return [...tools.values()];
}

function nameOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { name } = value as { name?: unknown };
  return typeof name === 'string' && name !== '' ? name : undefined;
}
