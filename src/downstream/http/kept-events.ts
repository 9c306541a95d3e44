/** How many bytes of events are kept, of all streams together. */
export class KeepBudget {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  take(bytes: number): boolean {
    if (this.#bytes + bytes > this.#maxBytes) return false;
    this.#bytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#bytes -= bytes;
  }
}

export interface KeptEvent {
  readonly number: number;
  readonly text: Buffer;
  /** The request of ours that it carries, if it does. */
  readonly requestId: string | undefined;
}

export interface KeptEventsOptions {
  readonly maxBytes: number;
  readonly budget: KeepBudget;
  /** An event is not kept any longer, or never was, because there is no room for it. */
  readonly ondropped: (event: KeptEvent) => void;
}

/** The last events of one stream, without a gap: the oldest go when there is no room. */
export class KeptEvents {
  readonly #options: KeptEventsOptions;
  #events: KeptEvent[] = [];
  #bytes = 0;
  #lastNumber = 0;

  constructor(options: KeptEventsOptions) {
    this.#options = options;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get lastNumber(): number {
    return this.#lastNumber;
  }

  add(event: KeptEvent): void {
    const { maxBytes, budget, ondropped } = this.#options;
    const { length } = event.text;
    this.#lastNumber = event.number;
    while (this.#events.length > 0 && this.#bytes + length > maxBytes) this.#dropOldest();
    while (this.#bytes + length > maxBytes || !budget.take(length)) {
      if (this.#events.length === 0) {
        ondropped(event);
        return;
      }
      this.#dropOldest();
    }
    this.#events.push(event);
    this.#bytes += length;
  }

  /** What is kept of the events after the one with this number. */
  after(number: number): readonly KeptEvent[] {
    return this.#events.filter((event) => event.number > number);
  }

  /** Whether all events after the one with this number are kept. */
  hasAllAfter(number: number): boolean {
    return number <= this.#lastNumber && this.after(number).length === this.#lastNumber - number;
  }

  clear(): void {
    this.#options.budget.give(this.#bytes);
    this.#events = [];
    this.#bytes = 0;
  }

  #dropOldest(): void {
    const oldest = this.#events.shift();
    if (oldest === undefined) return;
    this.#bytes -= oldest.text.length;
    this.#options.budget.give(oldest.text.length);
    this.#options.ondropped(oldest);
  }
}
