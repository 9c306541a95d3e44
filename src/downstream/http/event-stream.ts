import type { ServerResponse } from 'node:http';
import type { Chunk } from '../../json/splice.ts';
import { eventOf, primingEvent } from './event-text.ts';
import { EventWriter } from './event-writer.ts';
import { type KeepBudget, type KeptEvent, KeptEvents } from './kept-events.ts';

/** Streams a client has opened again without need stay open, silent: ending them would bring them back. */
const MAX_SILENT_WRITERS = 3;

export interface EventStreamOptions {
  /** Number of the stream within its session. */
  readonly number: number;
  readonly maxKeptBytes: number;
  readonly maxUnreadBytes: number;
  readonly budget: KeepBudget;
  /** A request of ours will not reach the client, which leaves so much where it is. */
  readonly onlost: (requestId: string, waitingBytes: number) => void;
}

export interface Attachment {
  readonly response: ServerResponse;
  /** Whether the client knows what an event without a message is. */
  readonly isPrimed: boolean;
  /** Number of the last event the client has; without it, what has not been written yet follows. */
  readonly after?: number | undefined;
}

/**
 * A stream of events as a client sees it: one response after another, each continuing where the one before it broke.
 * What cannot be written now is kept, within bounds, until the client comes for it.
 */
export class EventStream {
  readonly #options: EventStreamOptions;
  readonly #kept: KeptEvents;
  #writer: EventWriter | undefined;
  #silent: EventWriter[] = [];
  #writtenNumber = 0;
  #isEnded = false;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#kept = new KeptEvents({
      ...options,
      maxBytes: options.maxKeptBytes,
      ondropped: (event) => this.#dropped(event),
    });
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  get isAttached(): boolean {
    return this.#writer !== undefined;
  }

  append(message: readonly Chunk[], requestId?: string): void {
    const number = this.#kept.lastNumber + 1;
    const text = eventOf(this.#idOf(number), message);
    if (this.#writer?.write(text)) this.#writtenNumber = number;
    this.#kept.add({ number, text, requestId });
  }

  /** @returns whether the client gets all that it has not seen; if not, nothing was written */
  attach({ response, isPrimed, after }: Attachment): boolean {
    if (after !== undefined && !this.#kept.hasAllAfter(after)) return false;
    const missed = this.#kept.after(after ?? this.#writtenNumber);
    this.#silence();
    this.#writer = new EventWriter({
      response,
      maxUnreadBytes: this.#options.maxUnreadBytes,
      onclose: (writer) => this.#closed(writer),
    });
    if (isPrimed && after === undefined) this.#writer.write(primingEvent(this.#idOf(this.#writtenNumber)));
    for (const { number, text } of missed) if (this.#writer?.write(text)) this.#writtenNumber = number;
    if (this.#isEnded) this.#writer?.end();
    return true;
  }

  /** Whether there is nothing after this event, nor will be. */
  isOver(after: number): boolean {
    return this.#isEnded && after >= this.#kept.lastNumber;
  }

  /** Nothing follows; what is kept can still be fetched. */
  end(): void {
    this.#isEnded = true;
    for (const writer of this.#silent) writer.end();
    this.#writer?.end();
  }

  /** Ends it and forgets what is kept. */
  forget(): void {
    this.end();
    this.#kept.clear();
  }

  #idOf(number: number): string {
    return `${this.#options.number}-${number}`;
  }

  #silence(): void {
    if (this.#writer === undefined) return;
    this.#silent.push(this.#writer);
    this.#writer = undefined;
    if (this.#silent.length > MAX_SILENT_WRITERS) this.#silent.shift()?.end();
  }

  #closed(writer: EventWriter): void {
    if (this.#writer === writer) this.#writer = undefined;
    this.#silent = this.#silent.filter((other) => other !== writer);
  }

  #dropped({ number, requestId }: KeptEvent): void {
    if (requestId !== undefined && number > this.#writtenNumber)
      this.#options.onlost(requestId, this.#kept.bytes);
  }
}

/** Stream and event number of an id that `EventStream` gave. */
export function readEventId(id: string): { stream: number; event: number } | undefined {
  const parts = /^(\d{1,15})-(\d{1,15})$/.exec(id);
  return parts === null ? undefined : { stream: Number(parts[1]), event: Number(parts[2]) };
}
