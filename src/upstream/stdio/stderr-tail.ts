import type { Readable } from 'node:stream';
import { harmless } from '../../foreign-text.ts';
import type { Redactor } from '../redact.ts';

/** What is kept of an upstream's stderr: enough to see why it died. */
const KEPT_BYTES = 4096;
const SHOWN_LINES = 4;
const SHOWN_CHARACTERS = 400;
/** What programs print below the line that says what went wrong: frames, brackets, versions. */
const NOT_TELLING = /^(at |Node\.js v\d|[\s{}()[\],;^~-]*$|(code|errno|syscall|requireStack): )/;

/** Drains a stream for as long as it lives, so that its writer never blocks, and remembers its end. */
export class StderrTail {
  #tail = Buffer.alloc(0);
  #isCut = false;

  constructor(stream: Readable) {
    stream.on('data', (chunk: Buffer) => {
      this.#isCut ||= this.#tail.length + chunk.length > KEPT_BYTES;
      this.#tail = Buffer.from(
        Buffer.concat([this.#tail, chunk.subarray(-KEPT_BYTES)]).subarray(-KEPT_BYTES),
      );
    });
    stream.on('error', () => {
      // The process is gone; its exit is reported by whoever owns it.
    });
  }

  /**
   * The last lines on one, harmless and without what must not be shown; empty when nothing was written.
   */
  lastLines(redactor: Redactor): string {
    const kept = this.#tail.toString('utf8');
    const lines = redactor
      .hide(harmless(redactor.hide(kept, { isCutBefore: this.#isCut })))
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    const telling = lines.filter((line) => !NOT_TELLING.test(line));
    return (telling.length > 0 ? telling : lines).slice(-SHOWN_LINES).join(' | ').slice(-SHOWN_CHARACTERS);
  }
}
