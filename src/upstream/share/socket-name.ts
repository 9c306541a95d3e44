import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { ToolsiftError } from '../../errors.ts';
import { CONTROL_VERSION } from './control.ts';

const PREFIX_LENGTH = 16;
const TIME_LENGTH = 9;
/** `sun_path` of macOS, the shortest there is, less its closing zero. */
const MAX_PATH_BYTES = 103;

let lastNumber = 0;

/** What all sockets for one key begin with; short, since paths of sockets must be. */
export function socketPrefix(key: string): string {
  return createHash('sha256').update(`${CONTROL_VERSION} ${key}`).digest('hex').slice(0, PREFIX_LENGTH);
}

/** A name that no other socket has or will have. Names sort by when they were made. */
export function newSocketName(prefix: string, now = Date.now(), pid = process.pid): string {
  const time = now.toString(36).padStart(TIME_LENGTH, '0');
  return `${prefix}-${time}-${pid.toString(36)}-${(++lastNumber).toString(36)}`;
}

/** The process that made the name. */
export function pidOf(name: string): number {
  return Number.parseInt(name.split('-')[2] ?? '', 36);
}

/** The sockets for a key, in the order of their making. */
export function listSockets(folder: string, prefix: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${prefix}-`))
    .toSorted((a, b) => (a < b ? -1 : 1));
}

/**
 * Where the socket of that name is.
 *
 * @throws ToolsiftError when the folder's path leaves no room for it
 */
export function socketPath(folder: string, name: string): string {
  const path = join(folder, name);
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return path;
  throw new ToolsiftError(
    'server_config_invalid',
    `cannot be shared: the path ${path} is too long for a socket; set XDG_RUNTIME_DIR or TMPDIR to a shorter folder, or "share" to false`,
  );
}

/** The named pipe for a key, on Windows. */
export function pipeName(key: string, user = userInfo().username): string {
  const name = createHash('sha256').update(`${CONTROL_VERSION} ${user} ${key}`).digest('hex').slice(0, 32);
  return `\\\\.\\pipe\\toolsift-${name}`;
}
