import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isWritableAtOnce } from '../regular-file.ts';
import { OutputDecoder } from './output-decoder.ts';
import type { Redactor } from './redact.ts';

/** A log that has grown this long is moved aside and begun anew; one older part is kept. */
const MAX_BYTES = 1024 * 1024;

/** No secret is as long. */
const MAX_OPEN_LENGTH = 64 * 1024;

/** File systems limit names to about 255 bytes. */
const MAX_NAME_LENGTH = 120;

/** Where what a server writes to stderr is kept. */
export function logFileOf(folder: string, server: string): string {
  const name = encodeURIComponent(server);
  if (name.length <= MAX_NAME_LENGTH) return join(folder, `${name}.log`);
  const hash = createHash('sha256').update(server).digest('hex').slice(0, 16);
  return join(folder, `${name.slice(0, MAX_NAME_LENGTH)}-${hash}.log`);
}

/** Keeps what a server writes to stderr, without its secrets, in a file that does not grow without end. */
export class ServerLog {
  readonly #file: string;
  readonly #redactor: Redactor;
  readonly #decoder = new OutputDecoder();
  /** What may go on as a secret. */
  #open = '';

  constructor(folder: string, server: string, redactor: Redactor) {
    this.#file = logFileOf(folder, server);
    this.#redactor = redactor;
  }

  write(chunk: Uint8Array): void {
    const { settled, open } = this.#redactor.settle(this.#open + this.#decoder.write(chunk));
    this.#open = open;
    this.#append(settled);
    if (open.length > MAX_OPEN_LENGTH) this.close();
  }

  /** Nothing follows. */
  close(): void {
    this.#append(this.#redactor.hide(this.#open, { isCutAfter: true }));
    this.#open = '';
  }

  #append(text: string): void {
    if (text === '') return;
    try {
      // Asked each time: other sessions may write to the file too, and somebody may have removed it.
      if (this.#size() > MAX_BYTES) renameSync(this.#file, `${this.#file}.1`);
      if (!isWritableAtOnce(this.#file)) return;
      appendFileSync(this.#file, text, { mode: 0o600 });
    } catch {
      // A full disk must not stop a server that otherwise works.
    }
  }

  #size(): number {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    return statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
  }
}
