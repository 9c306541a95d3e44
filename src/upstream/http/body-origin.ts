import type { Readable } from 'node:stream';
import type { Origin } from '../../jsonrpc/frame.ts';

/** After so many messages of one body everything else has its turn, as with pipes. */
const TURN_MESSAGES = 32;
const PAUSE_MS = 1;

/** A body that messages are read from: not read while what it brought is not taken, and in turns with all others. */
export class BodyOrigin implements Origin {
  readonly relatedRequest: string | undefined;
  readonly #body: Readable;
  #holds = 0;
  #messages = 0;

  constructor(body: Readable, relatedRequest: string | undefined) {
    this.#body = body;
    this.relatedRequest = relatedRequest;
  }

  hold(): () => void {
    let isHeld = true;
    this.#holds++;
    this.#body.pause();
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds--;
      if (this.#holds === 0) this.#body.resume();
    };
  }

  /** A message has been read. */
  brought(): void {
    this.#messages++;
  }

  /** A chunk has been read: where it brought many messages, the next one comes a little later. */
  endTurn(): void {
    if (this.#messages >= TURN_MESSAGES) setTimeout(this.hold(), PAUSE_MS);
    this.#messages = 0;
  }
}
