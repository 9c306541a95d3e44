import type { ServerResponse } from 'node:http';
import type { Chunk } from '../../json/splice.ts';
import type { Accepts } from './accepts.ts';
import type { EventStream } from './event-stream.ts';
import { sendJson } from './json-answer.ts';
import { NO_SESSION, refuse } from './refusal.ts';

/** A request that takes longer is answered by a stream, on which it is seen that we live and which can be resumed. */
const STREAM_AFTER_MS = 5000;

/** How a client sent its requests, and where their answers go. */
export interface Posted {
  readonly response: ServerResponse;
  readonly accepts: Accepts;
  /** Whether they came as a list, which is answered by a list. */
  readonly isBatch: boolean;
  /** Whether the client knows what an event without a message is. */
  readonly isPrimed: boolean;
}

export interface ExchangeOptions extends Posted {
  /** Ids of the requests, as JSON text. */
  readonly ids: readonly string[];
  readonly openStream: () => EventStream;
}

/**
 * The requests of one POST on their way to their answers: JSON where nothing but the answer is to be said, else a
 * stream of events.
 */
export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #open: Set<string>;
  readonly #answers: (readonly Chunk[])[] = [];
  readonly #timer: NodeJS.Timeout | undefined;
  #stream: EventStream | undefined;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#open = new Set(options.ids);
    if (options.accepts.events) this.#timer = setTimeout(() => this.#startStream(), STREAM_AFTER_MS).unref();
  }

  /** Hands on the answer to one of the requests. */
  answer(id: string, message: readonly Chunk[]): void {
    this.#open.delete(id);
    const { accepts, isBatch } = this.#options;
    const isJson = accepts.json && (!isBatch || !accepts.events);
    if (this.#stream === undefined && isJson) this.#answers.push(message);
    else this.#startStream()?.append(message);
    if (this.#open.size === 0) this.#finish();
  }

  /** @returns whether what is to be said in the course of a request reaches the client here */
  say(message: readonly Chunk[], requestId?: string): boolean {
    const stream = this.#options.accepts.events ? this.#startStream() : undefined;
    stream?.append(message, requestId);
    return stream !== undefined;
  }

  /** There will be no answer: the client has withdrawn the request. */
  withdraw(id: string): void {
    if (this.#open.delete(id) && this.#open.size === 0) this.#finish();
  }

  /** There will be no answers: the session has ended. */
  abort(): void {
    clearTimeout(this.#timer);
    this.#open.clear();
    if (this.#stream !== undefined) this.#stream.end();
    else refuse(this.#options.response, { status: 404, code: NO_SESSION, message: 'the session has ended' });
  }

  /** The stream of this exchange, begun now if need be; none where the client left before it could be told of one. */
  #startStream(): EventStream | undefined {
    const { response, openStream, isPrimed } = this.#options;
    if (this.#stream !== undefined) return this.#stream;
    if (response.destroyed) return undefined;
    clearTimeout(this.#timer);
    this.#stream = openStream();
    this.#stream.attach({ response, isPrimed });
    return this.#stream;
  }

  #finish(): void {
    clearTimeout(this.#timer);
    const { response, isBatch } = this.#options;
    const [first, ...rest] = this.#answers;
    if (this.#stream !== undefined) this.#stream.end();
    else if (response.destroyed) return;
    else if (first === undefined) response.writeHead(202).end();
    else if (!isBatch) sendJson(response, 200, first);
    else sendJson(response, 200, ['[', ...first, ...rest.flatMap((answer) => [',', ...answer]), ']']);
  }
}
