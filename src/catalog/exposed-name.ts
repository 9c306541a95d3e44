import { createHash } from 'node:crypto';
import type { CatalogTool } from './catalog-tool.ts';

/** What hosts accept as the name of a tool; the specification allows more, some hosts do not. */
const LEGAL = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

export function isLegalName(name: string): boolean {
  return LEGAL.test(name);
}

/**
 * The name a tool can always be called by directly: `server__name`. Where that is too long or holds characters
 * hosts refuse, those are replaced and a hash of the tool key keeps it unique and stable.
 */
export function qualifiedName(server: string, name: string): string {
  const joined = `${server}__${name}`;
  if (isLegalName(joined)) return joined;
  const hash = createHash('sha256').update(`${server}\0${name}`).digest('hex').slice(0, HASH_LENGTH);
  const legal = joined.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_LENGTH - HASH_LENGTH - 1);
  return `${legal}_${hash}`;
}

/**
 * Names for a set of items that are shown together: their own where it is legal, unique among them and not
 * `reserved`, else the qualified one. Derived from the set alone, so it does not depend on who came first.
 */
export function exposedNames<Item extends { readonly server: string; readonly name: string }>(
  items: readonly Item[],
  reserved: ReadonlySet<string> = new Set(),
): Map<string, Item> {
  const uses = new Map<string, number>();
  for (const { name } of items) uses.set(name, (uses.get(name) ?? 0) + 1);
  const named = new Map<string, Item>();
  for (const item of items) {
    const isOwn = uses.get(item.name) === 1 && !reserved.has(item.name) && isLegalName(item.name);
    named.set(isOwn ? item.name : qualifiedName(item.server, item.name), item);
  }
  return named;
}

/** The tool behind a qualified name, among candidates. */
export function toolByQualifiedName(called: string, tools: Iterable<CatalogTool>): CatalogTool | undefined {
  for (const tool of tools) {
    // Cheap tests first: a hashed name is computed only for tools it could stand for.
    if (called === `${tool.server}__${tool.name}`) return tool;
    if (!isLegalName(`${tool.server}__${tool.name}`) && called === qualifiedName(tool.server, tool.name))
      return tool;
  }
  return undefined;
}
