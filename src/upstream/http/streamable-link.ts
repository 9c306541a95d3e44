import { type ErrorCode, ToolsiftError } from '../../errors.ts';
import { type Chunk, joinChunks } from '../../json/splice.ts';
import { type Frame, idOf, memberOf, membersOf, parsePart, readFrames, textOf } from '../../jsonrpc/frame.ts';
import type { Link } from '../../jsonrpc/link.ts';
import { HttpAgents } from './agents.ts';
import { discard } from './body.ts';
import { HttpCall } from './call.ts';
import type { Purpose } from './failure.ts';
import { HttpSession } from './http-session.ts';
import { ServerStream } from './server-stream.ts';
import { StandingRequests, withId } from './standing-requests.ts';
import type { HttpTarget } from './target.ts';

/** A notification or an answer that the server does not take within this time is given up. */
const TELL_TIMEOUT_MS = 30_000;
/** All else waits for the server to take note that we are initialized, but not for ever. */
const ADMISSION_TIMEOUT_MS = 10_000;
/** How long a cancelled request goes on while the server is told. */
const CANCEL_GRACE_MS = 1000;
const END_SESSION_TIMEOUT_MS = 1000;
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const LISTS_CHANGED = Buffer.from('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
const PING_ID = '"still-there"';
const PING = Buffer.from(`{"jsonrpc":"2.0","id":${PING_ID},"method":"ping"}`);
/** Failures to open a session that the next attempt meets as well. */
const FATAL: ReadonlySet<ErrorCode> = new Set(['upstream_needs_login', 'server_config_invalid']);

/**
 * A link over Streamable HTTP: every message is a POST, what belongs to no request arrives on a stream of its own.
 *
 * There is no connection that could break, so a request that fails fails alone. A session that the server has
 * forgotten is replaced by a new one, once for all requests that ran into it, and they are sent again.
 */
export class StreamableLink implements Link {
  onframe: Link['onframe'] = () => {};
  onfault: Link['onfault'] = () => {};
  onclose: Link['onclose'] = () => {};
  readonly #target: HttpTarget;
  readonly #limit: number;
  readonly #agents = new HttpAgents();
  readonly #calls = new Map<string, HttpCall>();
  readonly #tellings = new Set<AbortController>();
  readonly #standing = new StandingRequests();
  #session: HttpSession;
  #stream: ServerStream | undefined;
  #initialize: Frame | undefined;
  /** Nothing but `initialize` goes out before the server has been told that we are initialized. */
  #admitted: Promise<void> = Promise.resolve();
  #renewal: Promise<void> | undefined;
  #probe: Promise<boolean> | undefined;
  #closing: Promise<void> | undefined;

  constructor(target: HttpTarget, options: { readonly maxMessageBytes: number }) {
    this.#target = target;
    this.#limit = options.maxMessageBytes;
    this.#session = new HttpSession(target, this.#agents);
  }

  async start(): Promise<void> {}

  send(message: readonly Chunk[]): void {
    const frame = readFrames(joinChunks(message))[0];
    if (frame === undefined || this.#closing !== undefined) return;
    if (frame.method === 'initialize') {
      this.#initialize = frame;
      void this.#request(frame, 'connect');
    } else if (frame.kind === 'request') {
      this.#standing.note(frame);
      void this.#request(frame, 'call');
    } else if (frame.method === 'notifications/initialized') {
      this.#admitted = this.#initialized(this.#session, frame.bytes);
    } else if (frame.method === 'notifications/cancelled') {
      void this.#cancel(frame);
    } else {
      void this.#admitted.then(() => this.#tell(this.#session, frame.bytes));
    }
  }

  close(): Promise<void> {
    return this.#finish(new Error('closed'));
  }

  async #request(frame: Frame, purpose: Purpose): Promise<void> {
    const id = idOf(frame);
    const call = this.#call(frame, purpose, (answer) => {
      if (purpose === 'connect' && answer.kind === 'response') this.#learnVersion(this.#session, answer);
      this.onframe(answer);
    });
    this.#calls.set(id, call);
    try {
      await this.#admitted;
      await this.#renewal;
      const session = this.#session;
      const outcome = await call.run(session, purpose === 'call');
      if (outcome === 'answered') return;
      if (outcome === 'session-lost' || (await this.#isForgotten(session))) {
        await this.#renew(session);
        await call.run(this.#session, false);
      } else outcome.settle();
    } catch (error) {
      if (!call.isAborted) this.#lose(id, error as ToolsiftError, purpose);
    } finally {
      if (this.#calls.get(id) === call) this.#calls.delete(id);
    }
  }

  #call(request: Frame, purpose: Purpose, onframe: Link['onframe']): HttpCall {
    return new HttpCall({
      request,
      target: this.#target,
      limit: this.#limit,
      purpose,
      onframe,
      onfault: (fault) => this.onfault(fault),
    });
  }

  #lose(id: string, error: ToolsiftError, purpose: Purpose): void {
    if (this.#closing !== undefined) return;
    this.onfault({ kind: 'lost', id, error });
    if (purpose === 'connect' && FATAL.has(error.code)) void this.#finish(error);
  }

  /** Whether the server knows a session no more: then it refuses even a ping. Asked once at a time. */
  #isForgotten(session: HttpSession): Promise<boolean> {
    if (this.#session !== session) return Promise.resolve(true);
    this.#probe ??= this.#refusesPing(session).finally(() => {
      this.#probe = undefined;
    });
    return this.#probe;
  }

  async #refusesPing(session: HttpSession): Promise<boolean> {
    const [request] = readFrames(PING);
    const call = this.#call(request as Frame, 'call', () => {});
    this.#calls.set(PING_ID, call);
    try {
      return (await call.run(session, true)) !== 'answered';
    } catch {
      // That it was not answered says nothing of the session.
      return false;
    } finally {
      this.#calls.delete(PING_ID);
    }
  }

  /** Replaces a session the server has forgotten, unless another request has seen to it already. */
  #renew(lost: HttpSession): Promise<void> {
    if (this.#session !== lost) return this.#renewal ?? Promise.resolve();
    this.#renewal ??= this.#openAnew()
      .catch((error: ToolsiftError) => {
        if (FATAL.has(error.code)) void this.#finish(error);
        throw error;
      })
      .finally(() => {
        this.#renewal = undefined;
      });
    return this.#renewal;
  }

  async #openAnew(): Promise<void> {
    const request = readFrames(withId(this.#initialize as Frame, '"renewal"'))[0] as Frame;
    const session = new HttpSession(this.#target, this.#agents);
    let answer: Frame | undefined;
    const call = this.#call(request, 'connect', (frame) => {
      if (frame.kind === 'response') answer = frame;
      else this.onframe(frame);
    });
    this.#calls.set(idOf(request), call);
    await call.run(session, false).finally(() => this.#calls.delete(idOf(request)));
    if (answer?.result === undefined) {
      throw new ToolsiftError('upstream_start_failed', 'ended the session and refused a new one');
    }
    this.#learnVersion(session, answer);
    this.#stream?.stop();
    this.#session = session;
    await this.#initialized(session, Buffer.from(INITIALIZED));
    for (const standing of this.#standing.again()) void this.#tell(session, standing);
    // A server that was started anew may offer something else.
    const notice = readFrames(LISTS_CHANGED)[0] as Frame;
    this.onframe(notice);
  }

  /** A server that was started anew would have nowhere to say that its lists have changed. */
  async #lookAfter(session: HttpSession): Promise<void> {
    try {
      if (await this.#isForgotten(session)) await this.#renew(session);
    } catch {
      // The next call meets the same and has somebody to tell.
    }
  }

  #learnVersion(session: HttpSession, answer: Frame): void {
    const version = parsePart(answer, memberOf(membersOf(answer, answer.result), 'protocolVersion'));
    if (typeof version === 'string') session.setProtocolVersion(version);
  }

  async #initialized(session: HttpSession, notification: Buffer): Promise<void> {
    await this.#tell(session, notification, ADMISSION_TIMEOUT_MS);
    if (this.#closing !== undefined) return;
    this.#stream = new ServerStream({
      session,
      limit: this.#limit,
      onframe: (frame) => this.onframe(frame),
      onfault: (fault) => this.onfault(fault),
      onrefused: () => void this.#lookAfter(session),
    });
    void this.#stream.run();
  }

  async #cancel(notification: Frame): Promise<void> {
    const id = memberOf(membersOf(notification, notification.params), 'requestId');
    const call = id === undefined ? undefined : this.#calls.get(textOf(notification, id));
    await this.#tell(this.#session, notification.bytes, CANCEL_GRACE_MS);
    call?.abort();
  }

  /** Sends what has no answer. That it did not arrive is nothing anybody could act on. */
  async #tell(session: HttpSession, message: Buffer, timeoutMs = TELL_TIMEOUT_MS): Promise<void> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), timeoutMs).unref();
    this.#tellings.add(abort);
    try {
      discard((await session.post([message], abort.signal)).body);
    } catch {
      // See above.
    } finally {
      clearTimeout(timer);
      this.#tellings.delete(abort);
    }
  }

  #finish(reason: Error): Promise<void> {
    if (this.#closing !== undefined) return this.#closing;
    this.#closing = this.#endSession();
    this.onclose(reason);
    return this.#closing;
  }

  async #endSession(): Promise<void> {
    this.#stream?.stop();
    for (const abort of [...this.#calls.values(), ...this.#tellings]) abort.abort();
    // A server that does not know how to end a session, or is gone, has nothing to be told.
    await this.#session.end(AbortSignal.timeout(END_SESSION_TIMEOUT_MS)).catch(() => {});
    this.#agents.destroy();
  }
}
