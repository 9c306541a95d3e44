import { entryKeys } from '../../src/config/schema/entry-keys.ts';
import { fileKeys } from '../../src/config/schema/file-keys.ts';
import { foreignKeys } from '../../src/config/schema/foreign-keys.ts';
import type { Chance } from './budget.ts';
import { oddJson, oddText } from './odd-json.ts';

/** Stands in values only, never in keys or names. */
export const SECRET = 'hunter2-hunter2';

const ENTRY_KEYS = [...Object.keys(entryKeys), ...foreignKeys().map(({ key }) => key)];
const FILE_KEYS = Object.keys(fileKeys);
const MOST_SERVERS = 20_000;

/** The text of a configuration file that is odd in some way, of about so many bytes. */
export function oddConfiguration(chance: Chance, bytes: number): string {
  const whole = chance.isHit(0.1) ? oddJson(chance, bytes) : oddFile(chance, bytes);
  return chance.isHit(0.4) ? damaged(chance, whole) : whole;
}

function oddFile(chance: Chance, bytes: number): string {
  const servers: string[] = [];
  const share = chance.pick([1, 0.2, 0.01, 0]);
  for (let left = bytes; left > 0 && servers.length < MOST_SERVERS; left -= servers.at(-1)?.length ?? 0) {
    const name = `${chance.pick(['', 'a/', '//', '_', '__proto__'])}${servers.length}`;
    servers.push(`${JSON.stringify(name)}:${oddEntry(chance, Math.max(left * share, 60))}`);
  }
  const place = chance.pick(['servers', 'servers', 'mcpServers', 'mcp']);
  const keys = new Set([place]);
  const members = [`${JSON.stringify(place)}:{${servers.join(',')}}`];
  while (chance.isHit(0.4)) members.push(oddMember(chance, { keys, known: FILE_KEYS, bytes: bytes / 20 }));
  return `{${members.join(chance.pick([',', ',\r\n', ', // a comment "\n', ',/* and { another */']))}}`;
}

function oddEntry(chance: Chance, bytes: number): string {
  const keys = new Set<string>();
  const members = chance.isHit(0.8) ? [chance.pick(['"command":"x"', '"url":"https://example.com"'])] : [];
  for (let left = bytes; left > 0 && members.length < 2000; left -= members.at(-1)?.length ?? 0)
    members.push(oddMember(chance, { keys, known: ENTRY_KEYS, bytes: left }));
  return `{${members.join()}}`;
}

interface MemberOptions {
  /** Taken already; most members have a key of their own. */
  readonly keys: Set<string>;
  readonly known: readonly string[];
  readonly bytes: number;
}

function oddMember(chance: Chance, { keys, known, bytes }: MemberOptions): string {
  let key = oddKey(chance, known);
  while (keys.has(key) && !chance.isHit(0.001)) key = `${oddKey(chance, known)}${chance.below(1e6)}`;
  keys.add(key);
  return `${JSON.stringify(key)}:${oddValue(chance, bytes)}`;
}

/** A key of ours or of others, one with a letter missing, or any. */
function oddKey(chance: Chance, known: readonly string[]): string {
  if (chance.isHit(0.2)) return oddText(chance, 40);
  const key = chance.pick(known);
  const at = chance.below(key.length);
  return chance.isHit(0.1) ? key.slice(0, at) + key.slice(at + 1) : key;
}

function oddValue(chance: Chance, bytes: number): string {
  const kind = chance.below(7);
  if (kind === 0) return oddJson(chance, bytes);
  if (kind === 1) return JSON.stringify(SECRET);
  if (kind === 2) return JSON.stringify([SECRET, `--key=${SECRET}`, chance.below(3)]);
  if (kind === 3)
    return JSON.stringify({ KEY: SECRET, OTHER: `\${NONE:-}${SECRET}`, [String(chance.below(9))]: 1 });
  if (kind === 4) return JSON.stringify(`\${${oddText(chance, 20)}}`.repeat(Math.max(1, bytes / 40)));
  if (kind === 5) return JSON.stringify(`https://me:${SECRET}@${oddText(chance, 9)}/${SECRET}`);
  return chance.pick(['true', 'null', '-1', '1e999', '""', '[]', '{}', '"stdio"']);
}

/** Cuts, doubles, swaps, or puts in what does not belong there. */
function damaged(chance: Chance, text: string): string {
  const at = chance.below(text.length + 1);
  const end = at + chance.size(text.length + 1 - at);
  const kind = chance.below(6);
  if (kind === 0) return text.slice(0, at);
  if (kind === 1) return text.slice(0, end) + text.slice(at);
  if (kind === 2) return text.slice(0, at) + text.slice(end);
  if (kind === 3) return `\uFEFF${text}`;
  if (kind === 4)
    return `${text.slice(0, at)}${chance.pick(['"', '{', '\\', '/*', '\0', '\u2028', '<<<<<<<', ','])}${text.slice(at)}`;
  return (
    `${chance.pick(['{"a":', '[', '"', '/*', '"\\'])}`.repeat(chance.size(text.length / 2 + 1)) +
    text.slice(0, at)
  );
}
