import { unwatchFile, watchFile } from 'node:fs';

/** Looked at by polling: that also sees files replaced by renaming, symbolic links and network folders. */
const POLL_MS = 500;

/**
 * Calls back after each change of a file, until the returned function is called. The process is not kept alive.
 */
export function watchFileChanges(file: string, onchange: () => void): () => void {
  const listener = (now: { mtimeMs: number; size: number; ino: number }, before: typeof now) => {
    if (now.mtimeMs !== before.mtimeMs || now.size !== before.size || now.ino !== before.ino) onchange();
  };
  watchFile(file, { interval: POLL_MS, persistent: false }, listener);
  return () => unwatchFile(file, listener);
}
