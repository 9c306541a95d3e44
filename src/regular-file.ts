import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';

/**
 * Reads a whole file at once, if it is one: a pipe or a device in its place would keep us waiting, or never end.
 *
 * @throws Error with a reason for people, where the file is of another kind or longer than `maxBytes`
 */
export function readRegularFile(file: string, maxBytes: number): Buffer {
  // Opening a pipe waits for its writer, unless told not to.
  const handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(handle);
    if (stats.isDirectory()) throw new Error('it is a folder');
    if (!stats.isFile()) throw new Error('it is no regular file');
    if (stats.size > maxBytes) throw new Error(`it is longer than ${maxBytes} bytes`);
    return readWhole(handle, stats.size);
  } finally {
    closeSync(handle);
  }
}

/** Whether a file can be written without waiting for somebody who reads: it is a regular one, or none yet. */
export function isWritableAtOnce(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
}

/** What the file has now; one that grows while it is read is read as far as it was. */
function readWhole(handle: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(handle, bytes, filled, size - filled, null);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
