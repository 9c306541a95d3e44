import type { Logger } from '../log.ts';
import { onCrash } from './crash.ts';
import { onEndingSignal } from './ending-signals.ts';
import { FAILED } from './exit-codes.ts';

/** Longest orderly stop after an error nobody foresaw. */
const CRASH_EXIT_MS = 8000;

/**
 * Waits for the end of a process that runs until somebody wants it to end.
 *
 * @param ended resolves with the exit code when the work itself is over
 * @returns the exit code: that of the work, 128 + n after signal n, 1 after an error nobody foresaw
 */
export async function untilEnded(ended: Promise<number>, log: Logger): Promise<number> {
  const crashed = new Promise<number>((resolve) => {
    onCrash((error) => {
      resolve(FAILED);
      // Whatever goes wrong on the way out, this process does not stay.
      setTimeout(() => process.exit(FAILED), CRASH_EXIT_MS);
      log.error(`bug: ${error instanceof Error ? error.stack : String(error)}`);
    });
  });
  const signalled = new Promise<number>((resolve) => onEndingSignal(resolve));
  return Promise.race([ended, signalled, crashed]);
}
