import type { Readable } from 'node:stream';
import { type Origin, readFrames } from './frame.ts';
import { readJunk } from './junk.ts';
import { LineReader } from './line-reader.ts';
import type { LinkHandlers } from './link.ts';
import { readOversize } from './oversize.ts';

/** So many messages are read before every other stream has had its turn. */
const TURN_MESSAGES = 64;
/** Nobody waits for notifications: of them so many are read at once, and then more after a pause. */
const TURN_NOTIFICATIONS = 32;
const NOTIFICATIONS_PAUSE_MS = 1;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export interface StreamReaderOptions {
  readonly input: Readable;
  /** Longest message accepted, in bytes; looked at when one comes. */
  readonly maxMessageBytes: number;
  readonly onframe: LinkHandlers['onframe'];
  readonly onfault: LinkHandlers['onfault'];
}

/** Reads messages off a stream, in turns with everything else this process does, and not at all while it is held. */
export class StreamReader implements Origin {
  readonly #options: StreamReaderOptions;
  readonly #lines: LineReader;
  #holds = 0;
  #isPaused = false;
  #isResting = false;
  #messages = 0;
  #notifications = 0;

  constructor(options: StreamReaderOptions) {
    this.#options = options;
    this.#lines = new LineReader({
      get limit() {
        return options.maxMessageBytes;
      },
      online: (line) => this.#read(line),
      onoversize: (bytes, head, tail) =>
        options.onfault({
          kind: 'oversize',
          bytes,
          limit: options.maxMessageBytes,
          ...readOversize(head, tail),
        }),
    });
  }

  start(): void {
    this.#options.input.on('data', (chunk: Buffer) => {
      this.#lines.push(chunk);
      this.#proceed();
    });
  }

  /** Reads what is left of a stream that has ended; it is no more than was under way. */
  end(): void {
    while (this.#lines.next());
    this.#lines.end();
  }

  hold(): () => void {
    let isHeld = true;
    this.#holds++;
    this.#pause();
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds--;
      this.#proceed();
    };
  }

  #proceed(): void {
    if (this.#isResting || this.#holds > 0) return;
    while (this.#messages < TURN_MESSAGES && this.#notifications < TURN_NOTIFICATIONS) {
      if (!this.#lines.next()) {
        this.#resume();
        return;
      }
    }
    this.#rest();
  }

  #rest(): void {
    this.#isResting = true;
    this.#pause();
    const proceed = () => {
      this.#isResting = false;
      this.#messages = 0;
      this.#notifications = 0;
      this.#proceed();
    };
    if (this.#notifications < TURN_NOTIFICATIONS) setImmediate(proceed);
    else setTimeout(proceed, NOTIFICATIONS_PAUSE_MS);
  }

  #pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#options.input.pause();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#options.input.resume();
  }

  #read(raw: Buffer): void {
    const line = raw.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? raw.subarray(3) : raw;
    if (isBlank(line)) return;
    const { onframe, onfault } = this.#options;
    const frames = readFrames(line, this);
    if (frames.length === 0) onfault({ kind: 'junk', ...readJunk(line) });
    this.#messages++;
    for (const frame of frames) {
      if (frame.kind === 'notification') this.#notifications++;
      onframe(frame);
    }
  }
}

function isBlank(line: Buffer): boolean {
  return line.length < 3 && line.toString('latin1').trim() === '';
}
