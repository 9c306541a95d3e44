import type { Readable } from 'node:stream';
import { harmless } from '../../foreign-text.ts';
import { decodeOutput } from '../output-decoder.ts';
import type { Redactor } from '../redact.ts';
import { lastWords } from './last-words.ts';

/** What is kept of an upstream's stderr: enough to see why it died, with the notices that follow. */
const KEPT_BYTES = 32 * 1024;

/** Drains a stream for as long as it lives, so that its writer never blocks, and remembers its end. */
export class StderrTail {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #isCut = false;
  /** Resolves when nothing more will come. */
  readonly ended: Promise<void>;

  constructor(stream: Readable) {
    this.ended = new Promise((resolve) => {
      stream.once('close', resolve);
    });
    stream.on('data', (chunk: Buffer) => this.#keep(chunk));
    stream.on('error', () => {
      // The process is gone; its exit is reported by whoever owns it.
    });
  }

  /**
   * What it said why it failed, on one line, harmless and without what must not be shown; empty when nothing was
   * written.
   */
  lastWords(redactor: Redactor): string {
    const written = decodeOutput(Buffer.concat(this.#chunks).subarray(-KEPT_BYTES));
    const shown = harmless(redactor.hide(written, { isCutBefore: this.#isCut }));
    return lastWords(redactor.hide(shown));
  }

  /** Copies what it keeps, and joins it when there is twice as much. */
  #keep(chunk: Buffer): void {
    this.#isCut ||= this.#bytes + chunk.length > KEPT_BYTES;
    this.#chunks.push(Buffer.from(chunk.subarray(-KEPT_BYTES)));
    this.#bytes += Math.min(chunk.length, KEPT_BYTES);
    if (this.#bytes < 2 * KEPT_BYTES) return;
    this.#chunks = [Buffer.from(Buffer.concat(this.#chunks).subarray(-KEPT_BYTES))];
    this.#bytes = KEPT_BYTES;
  }
}
