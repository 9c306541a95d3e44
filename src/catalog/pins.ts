import type { Catalog } from './catalog.ts';
import type { CatalogTool } from './catalog-tool.ts';

export interface ResolvedPins {
  readonly tools: readonly CatalogTool[];
  /** Pins that stand for no known tool. */
  readonly unmatched: readonly string[];
  /** Pins without a server that stand for tools of several. */
  readonly ambiguous: readonly string[];
}

/**
 * The tools that pins stand for, in the order of the pins. `"server/name"` is one tool of a server there is, the
 * longest name counting; any other `"name"` is every tool of that name, in the order of `servers`.
 */
export function resolvePins(
  pins: readonly string[],
  catalog: Catalog,
  servers: readonly string[],
): ResolvedPins {
  const tools = new Set<CatalogTool>();
  const unmatched: string[] = [];
  const ambiguous: string[] = [];
  for (const pin of pins) {
    const found = toolsOf(pin, catalog, servers);
    for (const tool of found) tools.add(tool);
    if (found.length === 0) unmatched.push(pin);
    if (found.length > 1) ambiguous.push(pin);
  }
  return { tools: [...tools], unmatched, ambiguous };
}

/** The servers a pin may have to wait for: the one it names, or all. */
export function serversOfPin(pin: string, servers: readonly string[]): readonly string[] {
  const server = serverOf(pin, servers);
  return server === undefined ? servers : [server];
}

function toolsOf(pin: string, catalog: Catalog, servers: readonly string[]): CatalogTool[] {
  const server = serverOf(pin, servers);
  const found =
    server === undefined
      ? servers.map((each) => catalog.tool(each, pin))
      : [catalog.tool(server, pin.slice(server.length + 1))];
  return found.filter((tool) => tool !== undefined);
}

/** The server a pin names. A pin that names one is about no other, whatever that one calls its tools. */
function serverOf(pin: string, servers: readonly string[]): string | undefined {
  return servers
    .filter((server) => pin.startsWith(`${server}/`))
    .reduce<string | undefined>(
      (longest, server) => (server.length > (longest?.length ?? 0) ? server : longest),
      undefined,
    );
}
