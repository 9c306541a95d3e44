import { isObjectAt, scanObject, skipSpace } from '../json/scan.ts';

/** A tool of an upstream, under the key (server, name). */
export interface CatalogTool {
  readonly server: string;
  readonly name: string;
  /** Its definition as the upstream wrote it, JSON text. */
  readonly definition: string;
}

/**
 * The longest name of a tool, in UTF-16 units; the specification advises 128. Names stand in every answer, and can
 * neither be left out nor cut short there.
 */
export const MAX_TOOL_NAME_LENGTH = 1_024;

/**
 * The usable tools of a list: everything that is an object with a name, whatever else is wrong with it. Where a
 * server lists a name twice, its first definition counts.
 *
 * @param definitions the items of `tools/list`, JSON text
 */
export function readTools(server: string, definitions: readonly string[]): CatalogTool[] {
  const tools = new Map<string, CatalogTool>();
  for (const definition of definitions) {
    const name = nameOf(definition);
    if (name !== undefined && !tools.has(name)) tools.set(name, { server, name, definition });
  }
  return [...tools.values()];
}

/** Found by its place: building the values of a whole list only to name its tools would cost several times as much. */
function nameOf(definition: string): string | undefined {
  const bytes = Buffer.from(definition);
  const start = skipSpace(bytes, 0);
  if (!isObjectAt(bytes, start)) return undefined;
  const span = scanObject(bytes, start).members.findLast(({ key }) => key === 'name')?.value;
  const name: unknown =
    span === undefined ? undefined : JSON.parse(bytes.toString('utf8', span.start, span.end));
  return typeof name === 'string' && name !== '' && name.length <= MAX_TOOL_NAME_LENGTH ? name : undefined;
}
