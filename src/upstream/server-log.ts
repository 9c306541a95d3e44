import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A log that has grown this long is moved aside and begun anew; one older part is kept. */
const MAX_BYTES = 1024 * 1024;

/** Where what a server writes to stderr is kept. */
export function logFileOf(folder: string, server: string): string {
  return join(folder, `${encodeURIComponent(server)}.log`);
}

/** Keeps what a server writes to stderr in a file that does not grow without end. */
export class ServerLog {
  readonly #file: string;
  #size: number | undefined;

  constructor(folder: string, server: string) {
    this.#file = logFileOf(folder, server);
  }

  write(chunk: Uint8Array): void {
    try {
      this.#size ??= this.#open();
      if (this.#size > MAX_BYTES) {
        renameSync(this.#file, `${this.#file}.1`);
        this.#size = 0;
      }
      appendFileSync(this.#file, chunk, { mode: 0o600 });
      this.#size += chunk.length;
    } catch {
      // A full disk must not stop a server that otherwise works.
    }
  }

  #open(): number {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    return statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
  }
}
