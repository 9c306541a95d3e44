import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 50;
/** Longer than a request for tokens may take; whoever holds a lock for longer has died. */
const STALE_AFTER_MS = 60_000;

/** Runs something while no other process of this user does the same for `file`. */
export async function withLock<Result>(file: string, run: () => Promise<Result>): Promise<Result> {
  const lock = `${file}.lock`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  while (!take(lock)) await pause(POLL_MS);
  try {
    return await run();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function take(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    giveUpStale(lock);
    return false;
  }
}

/** Only one process succeeds in moving an abandoned lock away; then all try again. */
function giveUpStale(lock: string): void {
  try {
    if (Date.now() - statSync(lock).mtimeMs < STALE_AFTER_MS) return;
    const abandoned = `${lock}.${randomUUID()}`;
    renameSync(lock, abandoned);
    rmSync(abandoned, { recursive: true, force: true });
  } catch {
    // Somebody else was faster.
  }
}
