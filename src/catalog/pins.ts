import type { Catalog } from './catalog.ts';
import type { CatalogTool } from './catalog-tool.ts';

export interface ResolvedPins {
  readonly tools: readonly CatalogTool[];
  /** Pins that stand for no known tool. */
  readonly unmatched: readonly string[];
}

/**
 * The tools that pins stand for, in the order of the pins. `"server/name"` is one tool; `"name"` is every tool of
 * that name, in the order of `servers`.
 */
export function resolvePins(
  pins: readonly string[],
  catalog: Catalog,
  servers: readonly string[],
): ResolvedPins {
  const tools = new Set<CatalogTool>();
  const unmatched: string[] = [];
  for (const pin of pins) {
    const found = toolsOf(pin, catalog, servers);
    for (const tool of found) tools.add(tool);
    if (found.length === 0) unmatched.push(pin);
  }
  return { tools: [...tools], unmatched };
}

/** The servers a pin may have to wait for: the one it names, or all. */
export function serversOfPin(pin: string, servers: readonly string[]): readonly string[] {
  const server = pin.slice(0, Math.max(0, pin.indexOf('/')));
  return servers.includes(server) ? [server] : servers;
}

function toolsOf(pin: string, catalog: Catalog, servers: readonly string[]): CatalogTool[] {
  const slash = pin.indexOf('/');
  const qualified = slash > 0 ? catalog.tool(pin.slice(0, slash), pin.slice(slash + 1)) : undefined;
  if (qualified !== undefined) return [qualified];
  return servers.map((server) => catalog.tool(server, pin)).filter((tool) => tool !== undefined);
}
