import { createHash } from 'node:crypto';
import type { CatalogTool } from './catalog-tool.ts';

/** What hosts accept as the name of a tool; the specification allows more, some hosts do not. */
const LEGAL = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_LENGTH = 64;
const HASH_LENGTH = 8;
const JOINER = '__';

export function isLegalName(name: string): boolean {
  return LEGAL.test(name);
}

/**
 * The name a tool can always be called by directly: `server__name`. Where that could be read in two ways, is too
 * long, or holds characters hosts refuse, it is mended and a hash of the tool key keeps it unique and stable.
 */
export function qualifiedName(server: string, name: string): string {
  const joined = `${server}${JOINER}${name}`;
  if (isPlain(server, name)) return joined;
  const hash = createHash('sha256').update(`${server}\0${name}`).digest('hex').slice(0, HASH_LENGTH);
  const legal = joined.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_LENGTH - HASH_LENGTH - 1);
  return `${legal}_${hash}`;
}

/** Whether the joined name is legal and can be split in one way only. */
function isPlain(server: string, name: string): boolean {
  const joined = `${server}${JOINER}${name}`;
  return isLegalName(joined) && joined.indexOf(JOINER) === server.length;
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
  const qualified = new Set(items.map(({ server, name }) => qualifiedName(server, name)));
  const named = new Map<string, Item>();
  for (const item of items) {
    const { name } = item;
    const isOwn = uses.get(name) === 1 && !reserved.has(name) && !qualified.has(name) && isLegalName(name);
    named.set(isOwn ? name : qualifiedName(item.server, name), item);
  }
  return named;
}

/**
 * The tool behind a qualified name, among candidates. The plain join is understood too, where it can mean only one.
 */
export function toolByQualifiedName(called: string, tools: Iterable<CatalogTool>): CatalogTool | undefined {
  const joined: CatalogTool[] = [];
  for (const tool of tools) {
    const isJoined = called === `${tool.server}${JOINER}${tool.name}`;
    const isMeant = isPlain(tool.server, tool.name)
      ? isJoined
      : called === qualifiedName(tool.server, tool.name);
    if (isMeant) return tool;
    if (isJoined) joined.push(tool);
  }
  return joined.length === 1 ? joined[0] : undefined;
}
