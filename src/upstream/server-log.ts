import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isWritableAtOnce } from '../regular-file.ts';

/** A log that has grown this long is moved aside and begun anew; one older part is kept. */
const MAX_BYTES = 1024 * 1024;

/** File systems limit names to about 255 bytes. */
const MAX_NAME_LENGTH = 120;

/** Where what a server writes to stderr is kept. */
export function logFileOf(folder: string, server: string): string {
  const name = encodeURIComponent(server);
  if (name.length <= MAX_NAME_LENGTH) return join(folder, `${name}.log`);
  const hash = createHash('sha256').update(server).digest('hex').slice(0, 16);
  return join(folder, `${name.slice(0, MAX_NAME_LENGTH)}-${hash}.log`);
}

/** Keeps what a server writes to stderr in a file that does not grow without end. */
export class ServerLog {
  readonly #file: string;

  constructor(folder: string, server: string) {
    this.#file = logFileOf(folder, server);
  }

  write(chunk: Uint8Array): void {
    try {
      // Asked each time: other sessions may write to the file too, and somebody may have removed it.
      if (this.#size() > MAX_BYTES) renameSync(this.#file, `${this.#file}.1`);
      if (!isWritableAtOnce(this.#file)) return;
      appendFileSync(this.#file, chunk, { mode: 0o600 });
    } catch {
      // A full disk must not stop a server that otherwise works.
    }
  }

  #size(): number {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    return statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
  }
}
