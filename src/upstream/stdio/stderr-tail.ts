import type { Readable } from 'node:stream';

/** What is kept of an upstream's stderr: enough to see why it died. */
const KEPT_BYTES = 4096;
const SHOWN_LINES = 4;
const SHOWN_CHARACTERS = 400;
/** What programs print below the line that says what went wrong: frames, brackets, versions. */
const NOT_TELLING = /^(at |Node\.js v\d|[\s{}()[\],;^~-]*$|(code|errno|syscall|requireStack): )/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colour codes are control characters
const TERMINAL_CODES = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;

/** Drains a stream for as long as it lives, so that its writer never blocks, and remembers its end. */
export class StderrTail {
  #tail = Buffer.alloc(0);

  constructor(stream: Readable) {
    stream.on('data', (chunk: Buffer) => {
      this.#tail = Buffer.from(
        Buffer.concat([this.#tail, chunk.subarray(-KEPT_BYTES)]).subarray(-KEPT_BYTES),
      );
    });
    stream.on('error', () => {
      // The process is gone; its exit is reported by whoever owns it.
    });
  }

  /**
   * The last lines, without colours, on one line; empty when nothing was written.
   *
   * @param redact hides what must not be shown, before anything is cut
   */
  lastLines(redact: (text: string) => string = (text) => text): string {
    const lines = redact(this.#wholeLines())
      .replace(TERMINAL_CODES, '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    const telling = lines.filter((line) => !NOT_TELLING.test(line));
    return (telling.length > 0 ? telling : lines).slice(-SHOWN_LINES).join(' | ').slice(-SHOWN_CHARACTERS);
  }

  // The first line may have lost its beginning, and a secret that was cut is not recognised any more.
  #wholeLines(): string {
    const text = this.#tail.toString('utf8');
    const firstEnd = text.indexOf('\n');
    return this.#tail.length < KEPT_BYTES || firstEnd < 0 ? text : text.slice(firstEnd + 1);
  }
}
