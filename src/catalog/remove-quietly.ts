import { rmSync } from 'node:fs';

/** Removes a file of ours that nobody needs any more. */
export function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Where nothing can be written, nothing can be removed either.
  }
}
