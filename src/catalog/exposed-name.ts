import { createHash } from 'node:crypto';
import type { CatalogTool } from './catalog-tool.ts';

/** What hosts accept as the name of a tool; the specification allows more, some hosts do not. */
const LEGAL = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_LENGTH = 64;
const HASH_LENGTH = 8;
const JOINER = '__';
/** How a name with a hash ends; one that a server itself ends so gets a hash as well, so that none can be forged. */
const HASH_END = new RegExp(`_[0-9a-f]{${HASH_LENGTH}}$`);

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
  return `${mendedStart(joined)}_${hash}`;
}

/** What a mended name starts with. */
function mendedStart(joined: string): string {
  const end = MAX_LENGTH - HASH_LENGTH - 1;
  return joined.slice(0, end).replace(/[^a-zA-Z0-9_-]/g, '_');
}

/** Whether the joined name is legal and can be read in one way only. */
function isPlain(server: string, name: string): boolean {
  const joined = `${server}${JOINER}${name}`;
  return isLegalName(joined) && joined.indexOf(JOINER) === server.length && !HASH_END.test(joined);
}

export interface ExposedNamesOptions {
  /** Names that are ours. */
  readonly reserved?: ReadonlySet<string>;
  /** All servers there are: no item is shown as if it were another server's. */
  readonly servers?: Iterable<string>;
  /** Names that a client has already seen, and whose they were; nobody else gets them. */
  readonly holders?: ReadonlyMap<string, string>;
}

/**
 * Names for a set of items that are shown together: their own where it is legal, unique among them or theirs already,
 * and neither reserved nor readable as another server's, else the qualified one. Does not depend on who came first.
 */
export function exposedNames<Item extends { readonly server: string; readonly name: string }>(
  items: readonly Item[],
  { reserved = new Set(), servers = [], holders = new Map() }: ExposedNamesOptions = {},
): Map<string, Item> {
  const uses = new Map<string, number>();
  for (const { name } of items) uses.set(name, (uses.get(name) ?? 0) + 1);
  const qualified = new Set(items.map(({ server, name }) => qualifiedName(server, name)));
  const prefixes = [...servers].map((server) => `${server}${JOINER}`);
  const isTaken = (name: string) =>
    reserved.has(name) || qualified.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
  const named = new Map<string, Item>();
  for (const item of items) {
    const { server, name } = item;
    const holder = holders.get(name);
    const isOwn = holder === undefined ? uses.get(name) === 1 : holder === server;
    named.set(isOwn && isLegalName(name) && !isTaken(name) ? name : qualifiedName(server, name), item);
  }
  return named;
}

/**
 * The tool behind a qualified name, among candidates. The plain join is understood too, where it can mean only one.
 *
 * @param unlisted servers whose tools nobody knows yet, and whose tool it may be
 */
export function toolByQualifiedName(
  called: string,
  tools: Iterable<CatalogTool>,
  unlisted: Iterable<string> = [],
): CatalogTool | undefined {
  const joined: CatalogTool[] = [];
  for (const tool of tools) {
    const plain = `${tool.server}${JOINER}${tool.name}`;
    // Hashing tens of thousands of names for one call would take its time.
    if (called !== plain && !called.startsWith(`${mendedStart(plain)}_`)) continue;
    if (called === qualifiedName(tool.server, tool.name)) return tool;
    if (called === plain) joined.push(tool);
  }
  if (joined.length !== 1 || HASH_END.test(called)) return undefined;
  return [...unlisted].some((server) => called.startsWith(`${server}${JOINER}`)) ? undefined : joined[0];
}
