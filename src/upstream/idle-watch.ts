import type { Peer } from '../jsonrpc/peer.ts';
import type { Clock } from './clock.ts';

/** How many times in an idle period it is looked whether anything was asked. */
const LOOKS_PER_PERIOD = 4;

/** Tells when nothing has been asked of a peer, and nothing is being waited for, over a whole period. */
export class IdleWatch {
  readonly #peer: Peer;
  readonly #clock: Clock;
  readonly #periodMs: number;
  readonly #onidle: () => void;
  #seenRequests: number;
  #quietSince: number;
  #cancel: () => void = () => {};

  constructor(peer: Peer, clock: Clock, periodMs: number, onidle: () => void) {
    this.#peer = peer;
    this.#clock = clock;
    this.#periodMs = periodMs;
    this.#onidle = onidle;
    this.#seenRequests = peer.sentRequests;
    this.#quietSince = clock.now();
    this.#lookLater();
  }

  close(): void {
    this.#cancel();
  }

  #lookLater(): void {
    this.#cancel = this.#clock.after(this.#periodMs / LOOKS_PER_PERIOD, () => this.#look());
  }

  #look(): void {
    const now = this.#clock.now();
    if (this.#peer.openRequests > 0 || this.#peer.sentRequests !== this.#seenRequests) {
      this.#seenRequests = this.#peer.sentRequests;
      this.#quietSince = now;
    }
    if (now - this.#quietSince >= this.#periodMs) this.#onidle();
    else this.#lookLater();
  }
}
