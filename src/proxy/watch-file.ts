import { type Stats, statSync } from 'node:fs';

/** Looked at by polling: that also sees files replaced by renaming, symbolic links and network folders. */
const POLL_MS = 500;

/**
 * Calls back after each change of a file from now on, its appearing and its vanishing included, until the returned
 * function is called. The process is not kept alive.
 */
export function watchFileChanges(file: string, onchange: () => void): () => void {
  let seen = look(file);
  const timer = setInterval(() => {
    const now = look(file);
    if (now === seen) return;
    seen = now;
    onchange();
  }, POLL_MS).unref();
  return () => clearInterval(timer);
}

/** What tells one state of a file from another. */
function look(file: string): string {
  let stats: Stats | undefined;
  try {
    stats = statSync(file, { throwIfNoEntry: false });
  } catch {
    // For a moment, or for good, it is not ours to look at.
  }
  return stats === undefined ? 'none' : [stats.mtimeMs, stats.size, stats.ino].join();
}
