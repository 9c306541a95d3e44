import { createHmac, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Of two processes that make it at once, one creates the file and both read that.
    writeFileSync(file, randomBytes(SECRET_BYTES), { flag: 'wx', mode: 0o600 });
  } catch {
    // It is there already, or cannot be written; reading tells.
  }
  try {
    const secret = readFileSync(file);
    if (secret.length === SECRET_BYTES) return secret;
  } catch {
    // No place to keep it: keys then last as long as this process, and the cache starts empty.
  }
  return randomBytes(SECRET_BYTES);
}

/** JSON with the members of every object in order, so that equal values have equal texts. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner instanceof Map) return [...inner].toSorted();
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
