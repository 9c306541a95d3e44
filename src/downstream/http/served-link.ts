import { notTaken } from '../../errors.ts';
import type { Chunk } from '../../json/splice.ts';
import { at, type Frame, idOf, textOf } from '../../jsonrpc/frame.ts';
import type { Link, LinkHandlers } from '../../jsonrpc/link.ts';
import type { About } from '../../jsonrpc/message.ts';
import { CANCELLED } from '../../mcp/methods.ts';
import { type Attachment, EventStream, readEventId } from './event-stream.ts';
import { Exchange, type Posted } from './exchange.ts';
import type { KeepBudget } from './kept-events.ts';

/** Streams whose events are kept although nothing will be added to them. */
const MAX_ENDED_STREAMS = 64;

export interface ServedLinkOptions {
  /** Events kept for one stream until the client comes for them, in bytes. */
  readonly maxKeptBytes: number;
  /** What a client may leave unread on one stream, in bytes. */
  readonly maxUnreadBytes: number;
  readonly budget: KeepBudget;
  readonly onclose: () => void;
}

/**
 * The link of one session that is served over HTTP: what the client posts comes in, and each message goes out on the
 * stream of the request that it belongs to, or on the one the client opened for all else.
 */
export class ServedLink implements Link {
  readonly #options: ServedLinkOptions;
  readonly #exchanges = new Map<string, Exchange>();
  readonly #streams = new Map<number, EventStream>();
  /** What belongs to no request. */
  readonly #standing: EventStream;
  #lastStream = -1;
  #handlers: LinkHandlers | undefined;
  /** What came before the conversation was started. */
  #early: Frame[] = [];
  #isClosed = false;

  constructor(options: ServedLinkOptions) {
    this.#options = options;
    this.#standing = this.#openStream();
  }

  /** Requests of the client that have no answer yet. */
  get openCalls(): number {
    return this.#exchanges.size;
  }

  /** Whether the client is there, waiting for an answer or for news. */
  get isInUse(): boolean {
    return this.#exchanges.size > 0 || this.#standing.isAttached;
  }

  async start(handlers: LinkHandlers): Promise<void> {
    this.#handlers = handlers;
    const early = this.#early;
    this.#early = [];
    for (const frame of early) handlers.onframe(frame);
  }

  send(message: readonly Chunk[], about: About): void {
    if (this.#isClosed) return;
    if (about.kind === 'response') {
      const exchange = this.#exchanges.get(about.id);
      this.#exchanges.delete(about.id);
      exchange?.answer(about.id, message);
      return;
    }
    const requestId = about.kind === 'request' ? about.id : undefined;
    const related = about.relatedRequest;
    const exchange = related === undefined ? undefined : this.#exchanges.get(related);
    if (!exchange?.say(message, requestId)) this.#standing.append(message, requestId);
  }

  async close(): Promise<void> {
    this.end(new Error('closed'));
  }

  /** Whether a request with the same id has no answer yet, so that this one could have none. */
  isTaken(id: string): boolean {
    return this.#exchanges.has(id);
  }

  /** Takes what a client posted, at least one request among it. */
  ask(frames: readonly Frame[], posted: Posted): void {
    const ids = frames.filter((frame) => frame.kind === 'request').map(idOf);
    const exchange = new Exchange({ ...posted, ids, openStream: () => this.#openStream() });
    for (const id of ids) this.#exchanges.set(id, exchange);
    this.tell(frames);
  }

  /** Takes notifications and answers. */
  tell(frames: readonly Frame[]): void {
    for (const frame of frames) {
      if (this.#handlers === undefined) this.#early.push(frame);
      else this.#handlers.onframe(frame);
      if (frame.kind === 'notification' && frame.method === CANCELLED) this.#withdraw(frame);
    }
  }

  /** The client opens a stream for what belongs to no request. */
  listen(attachment: Omit<Attachment, 'after'>): void {
    this.#standing.attach(attachment);
  }

  /**
   * The client continues a stream that broke.
   *
   * @returns `over` where nothing follows, `unknown` where what follows is not kept
   */
  resume(eventId: string, attachment: Omit<Attachment, 'after'>): 'resumed' | 'over' | 'unknown' {
    const place = readEventId(eventId);
    const stream = place === undefined ? undefined : this.#streams.get(place.stream);
    if (place === undefined || stream === undefined) return 'unknown';
    if (stream.isOver(place.event)) return 'over';
    return stream.attach({ ...attachment, after: place.event }) ? 'resumed' : 'unknown';
  }

  /** Ends the session, whichever side wants it. */
  end(reason: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const exchange of new Set(this.#exchanges.values())) exchange.abort();
    this.#exchanges.clear();
    for (const stream of this.#streams.values()) stream.forget();
    this.#streams.clear();
    this.#options.onclose();
    this.#handlers?.onclose(reason);
  }

  #withdraw(cancelled: Frame): void {
    const span = at(cancelled, 'params', 'requestId');
    if (span === undefined) return;
    const id = textOf(cancelled, span);
    const exchange = this.#exchanges.get(id);
    this.#exchanges.delete(id);
    exchange?.withdraw(id);
  }

  #openStream(): EventStream {
    const { maxKeptBytes, maxUnreadBytes, budget } = this.#options;
    this.#forgetOldStreams();
    const stream = new EventStream({
      number: ++this.#lastStream,
      maxKeptBytes,
      maxUnreadBytes,
      budget,
      onlost: (id, bytes) => this.#handlers?.onfault({ kind: 'lost', id, error: notTaken(bytes) }),
    });
    this.#streams.set(this.#lastStream, stream);
    return stream;
  }

  #forgetOldStreams(): void {
    if (this.#streams.size <= MAX_ENDED_STREAMS) return;
    const ended = [...this.#streams].filter(([, stream]) => stream.isEnded);
    for (const [number, stream] of ended.slice(0, Math.max(0, ended.length - MAX_ENDED_STREAMS))) {
      stream.forget();
      this.#streams.delete(number);
    }
  }
}
