import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { takeLock } from '../../../file-lock.ts';

/** Longer than a request for tokens may take. */
const STALE_MS = 60_000;

/** Runs something while no other process of this user does the same for `file`. */
export async function withLock<Result>(file: string, run: () => Promise<Result>): Promise<Result> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const lock = await takeLock(`${file}.lock`, { staleMs: STALE_MS });
  try {
    return await run();
  } finally {
    await lock?.release();
  }
}
