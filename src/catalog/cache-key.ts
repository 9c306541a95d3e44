import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../regular-file.ts';
import { removeQuietly } from './remove-quietly.ts';

const SECRET_FILE = 'cache-secret';
const SECRET_BYTES = 32;
const KEY_LENGTH = 24;

/**
 * Names things after what was configured without telling what that was: with a secret of this user in it, no value
 * of `env` or `headers` can be guessed and tried against a key.
 *
 * @param secret what `readSecret` gives
 * @returns hex digits
 */
export function keyOf(secret: Uint8Array, configured: unknown): string {
  return createHmac('sha256', secret).update(canonicalJson(configured)).digest('hex').slice(0, KEY_LENGTH);
}

/** The user's secret, made on first use and readable by the user alone; a passing one where none can be kept. */
export function readSecret(folder: string): Uint8Array {
  const file = join(folder, SECRET_FILE);
  return readKept(file) ?? makeSecret(folder, file) ?? randomBytes(SECRET_BYTES);
}

function readKept(file: string): Uint8Array | undefined {
  try {
    const secret = readRegularFile(file, SECRET_BYTES);
    return secret.length === SECRET_BYTES ? secret : undefined;
  } catch {
    // None has been kept, or not for us.
    return undefined;
  }
}

/** Of processes that make it at once, one puts its own in place, whole, and all read that. */
function makeSecret(folder: string, file: string): Uint8Array | undefined {
  const temporary = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(temporary, randomBytes(SECRET_BYTES), { mode: 0o600 });
    // A file that is there and was not read is damaged; it is replaced.
    if (existsSync(file) && readKept(file) === undefined) renameSync(temporary, file);
    else linkSync(temporary, file);
  } catch {
    // It is there by now, or cannot be written: keys then last as long as this process.
  }
  removeQuietly(temporary);
  return readKept(file);
}

/** JSON with the members of every object in order, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner instanceof Map) return [...inner].toSorted();
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
