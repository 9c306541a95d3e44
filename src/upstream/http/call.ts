import { setTimeout as pause } from 'node:timers/promises';
import { ToolsiftError } from '../../errors.ts';
import { type Frame, idOf, type ResponseFrame, readFrames, textOf } from '../../jsonrpc/frame.ts';
import type { LinkFault, LinkHandlers } from '../../jsonrpc/link.ts';
import { BodyTooLarge, isEventStream, readBody, readEvents, readRefusal } from './body.ts';
import { networkFailure, type Purpose, rpcErrorIn, rpcErrorOf, statusFailure } from './failure.ts';
import type { HttpResponse } from './http-request.ts';
import type { HttpSession } from './http-session.ts';
import { isSessionLost, speaksOfSession } from './lost-session.ts';
import { Reconnects } from './reconnects.ts';
import { SeenIds } from './sse-seen-ids.ts';
import type { HttpTarget } from './target.ts';

/** Attempts in a row to continue a stream that bring nothing new. */
const MAX_FRUITLESS_RESUMES = 5;
/** The answer ends the exchange; a server that leaves its stream open then is not waited for any longer. */
const LINGER_MS = 5000;

/** A request as it is sent. */
export interface SentRequest {
  /** JSON text. */
  readonly id: string;
  readonly bytes: Buffer;
}

export interface HttpCallOptions {
  readonly request: SentRequest;
  readonly target: HttpTarget;
  readonly limit: number;
  readonly purpose: Purpose;
  readonly onframe: LinkHandlers['onframe'];
  readonly onfault: LinkHandlers['onfault'];
}

/** What came back may be about the session rather than the request; `settle` takes it as the answer to the request. */
export interface Doubt {
  /** @throws ToolsiftError where that is how the request failed */
  readonly settle: () => void;
}

/** `session-lost`: the server knows the session no more, and so has not begun with the request. */
export type Outcome = 'answered' | 'session-lost' | Doubt;

/**
 * One request on its way to its answer: the POST, the body or the stream that comes back, and the streams that
 * continue it when it breaks and the server numbers its events.
 */
export class HttpCall {
  readonly #options: HttpCallOptions;
  readonly #id: string;
  readonly #abort = new AbortController();
  readonly #seen = new SeenIds();
  #isAnswered = false;
  /** An error that speaks of the session comes before the question whether the server still knows it. */
  #holdsDoubtful = false;
  #held: Frame | undefined;
  #lastEventId: string | undefined;
  readonly #reconnects = new Reconnects();

  constructor(options: HttpCallOptions) {
    this.#options = options;
    this.#id = options.request.id;
  }

  get isAborted(): boolean {
    return this.#abort.signal.aborted;
  }

  abort(): void {
    this.#abort.abort();
  }

  /**
   * Sends the request and follows it to its answer.
   *
   * @param mayRenew whether a lost session may be replaced; otherwise whatever comes back is final
   * @throws ToolsiftError when there can be no answer
   */
  async run(session: HttpSession, mayRenew: boolean): Promise<Outcome> {
    this.#isAnswered = false;
    this.#held = undefined;
    this.#holdsDoubtful = mayRenew && session.hasId;
    try {
      const response = await session.post([this.#options.request.bytes], this.#abort.signal);
      if (response.status < 200 || response.status > 299)
        return await this.#refused(session, response, mayRenew);
      if (isEventStream(response.headers)) await this.#follow(session, response);
      else await this.#readWhole(response);
      return this.#outcome();
    } catch (error) {
      if (this.#isAnswered) return this.#outcome();
      throw this.#asFailure(error);
    }
  }

  #outcome(): Outcome {
    const held = this.#held;
    return held === undefined ? 'answered' : { settle: () => this.#options.onframe(held) };
  }

  async #readWhole(response: HttpResponse): Promise<void> {
    const body = await readBody(response.body, this.#options.limit);
    for (const frame of readFrames(body)) this.#deliver(frame);
    const { purpose, target } = this.#options;
    if (!this.#isAnswered) throw statusFailure(purpose, response, body, target);
  }

  async #refused(session: HttpSession, response: HttpResponse, mayRenew: boolean): Promise<Outcome> {
    const { purpose, target, limit } = this.#options;
    const body = await readRefusal(response.body, limit);
    const said = rpcErrorIn(body);
    const failure = statusFailure(purpose, response, body, target);
    const isLost = session.hasId && isSessionLost(response.status, said);
    if (isLost && mayRenew) return 'session-lost';
    if (response.status === 401 && mayRenew) return { settle: () => rejectWith(failure) };
    // An error about the session means nothing to whoever made the request.
    const isAboutSession = isLost && said !== undefined && idOf(said.frame) !== this.#id;
    if (said === undefined || isAboutSession || purpose === 'connect' || response.status === 401)
      throw failure;
    this.#holdsDoubtful = false;
    this.#deliver(this.#readdressed(said.frame));
    return 'answered';
  }

  /** Reads the stream, and what continues it, until the answer has come. */
  async #follow(session: HttpSession, response: HttpResponse): Promise<void> {
    let broken = await this.#readStream(response);
    while (!this.#isAnswered) {
      const before = this.#lastEventId;
      const isHopeless =
        this.#reconnects.failures === MAX_FRUITLESS_RESUMES || broken instanceof BodyTooLarge;
      if (before === undefined || isHopeless || this.isAborted) throw broken;
      await pause(this.#reconnects.pauseMs(), undefined, { ref: false, signal: this.#abort.signal });
      broken = await this.#resume(session, before);
      this.#reconnects.ended({ isFailure: this.#lastEventId === before });
    }
  }

  /** @returns what ended the continued stream */
  async #resume(session: HttpSession, lastEventId: string): Promise<unknown> {
    let stream: HttpResponse;
    try {
      stream = await session.get(lastEventId, this.#abort.signal);
    } catch (error) {
      return error;
    }
    if (stream.status === 200 && isEventStream(stream.headers)) return this.#readStream(stream);
    const { target, limit } = this.#options;
    const failure = statusFailure('call', stream, await readRefusal(stream.body, limit), target);
    if (stream.status >= 500) return failure;
    throw new ToolsiftError(
      'upstream_exited',
      `the response stream broke before the answer and could not be continued: ${failure.message}`,
      { cause: failure, facts: failure.facts },
    );
  }

  /** @returns what ended the stream */
  async #readStream({ body }: HttpResponse): Promise<unknown> {
    let lingering: NodeJS.Timeout | undefined;
    this.#seen.nextStream();
    const settle = () => {
      if (this.#held !== undefined) body.destroy();
      else if (this.#isAnswered) lingering ??= setTimeout(() => body.destroy(), LINGER_MS).unref();
    };
    try {
      await readEvents(body, {
        limit: this.#options.limit,
        relatedRequest: this.#id,
        onfault: (fault) => {
          this.#fault(fault);
          settle();
        },
        onid: (id) => {
          this.#lastEventId = id;
        },
        onretry: (ms) => this.#reconnects.ask(ms),
        isDuplicate: (id) => this.#seen.isRepeated(id),
        onframe: (frame) => {
          this.#reconnects.brought();
          this.#deliver(frame);
          settle();
        },
      });
      return new Error('the response stream ended before the answer');
    } catch (error) {
      return error;
    } finally {
      clearTimeout(lingering);
    }
  }

  #fault(fault: LinkFault): void {
    if (fault.kind !== 'oversize' || fault.of === 'request') {
      this.#options.onfault(fault);
      return;
    }
    // Where its id cannot be read, it is taken for what this stream is there for.
    const id = fault.id ?? this.#id;
    if (id === this.#id) this.#isAnswered = true;
    this.#options.onfault({ ...fault, id });
  }

  #deliver(frame: Frame): void {
    const own = frame.kind === 'response' ? this.#addressed(frame) : frame;
    if (own.kind === 'response' && idOf(own) === this.#id) {
      if (this.#isAnswered) return;
      this.#isAnswered = true;
      if (this.#holdsDoubtful && speaksOfSession(rpcErrorOf(own))) {
        this.#held = own;
        return;
      }
    }
    this.#options.onframe(own);
  }

  /** An error that names no request can only mean the one it came back for. */
  #addressed(frame: ResponseFrame): Frame {
    if (frame.error === undefined || (frame.id !== undefined && idOf(frame) !== 'null')) return frame;
    return this.#readdressed(frame);
  }

  /** The error under the id of the request it came back for. */
  #readdressed(frame: ResponseFrame): Frame {
    if (frame.error === undefined || idOf(frame) === this.#id) return frame;
    const text = `{"jsonrpc":"2.0","id":${this.#id},"error":${textOf(frame, frame.error)}}`;
    return readFrames(Buffer.from(text))[0] ?? frame;
  }

  #asFailure(error: unknown): ToolsiftError {
    const { purpose, target, limit } = this.#options;
    if (error instanceof BodyTooLarge) {
      return new ToolsiftError(
        'message_too_large',
        `the answer has ${error.bytes} bytes or more, above the limit of ${limit}; raise "maxMessageBytes" or ask for less`,
      );
    }
    return networkFailure(purpose, error, target);
  }
}

function rejectWith(failure: ToolsiftError): never {
  throw failure;
}
