const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;
/** A server may ask for shorter pauses than ours, but not for none. */
const MIN_ASKED_MS = 100;
/** Short pauses are for streams that bring something: after so many in a row that did not, they are ours again. */
const MAX_SHORT_PAUSES = 10;

/** When a stream that ended is asked for again: at the pause the server asks for, within bounds, later after failures. */
export class Reconnects {
  #askedMs: number | undefined;
  #failures = 0;
  #empty = 0;
  #hasMessage = false;

  /** Streams in a row that were of no use. */
  get failures(): number {
    return this.#failures;
  }

  /** The server asks for this pause. */
  ask(ms: number): void {
    this.#askedMs = Math.min(MAX_PAUSE_MS, Math.max(MIN_ASKED_MS, ms));
  }

  /** The stream has brought a message. */
  brought(): void {
    this.#hasMessage = true;
  }

  /** The stream has ended, or could not be had. */
  ended({ isFailure }: { readonly isFailure: boolean }): void {
    this.#failures = isFailure ? this.#failures + 1 : 0;
    this.#empty = this.#hasMessage ? 0 : this.#empty + 1;
    this.#hasMessage = false;
  }

  pauseMs(random = Math.random()): number {
    const leastMs = this.#empty > MAX_SHORT_PAUSES ? FIRST_PAUSE_MS : 0;
    const askedMs = this.#askedMs ?? 0;
    if (this.#failures === 0 && this.#askedMs !== undefined) return Math.max(leastMs, askedMs);
    return Math.max(leastMs, askedMs, growingPause(Math.max(0, this.#failures - 1), random));
  }
}

/** The pause after so many failures in a row: growing, capped, and jittered by a fifth. */
function growingPause(failures: number, random: number): number {
  return Math.round(Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures) * (0.8 + 0.4 * random));
}
