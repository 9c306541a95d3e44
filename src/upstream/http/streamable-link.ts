import { type ErrorCode, ToolsiftError } from '../../errors.ts';
import { type Chunk, joinChunks } from '../../json/splice.ts';
import { type ResponseFrame, valueAt } from '../../jsonrpc/frame.ts';
import type { Link, LinkHandlers } from '../../jsonrpc/link.ts';
import type { About } from '../../jsonrpc/message.ts';
import { CANCELLED, INITIALIZE, INITIALIZED } from '../../mcp/methods.ts';
import { HttpAgents } from './agents.ts';
import { discard } from './body.ts';
import { HttpCall, type SentRequest } from './call.ts';
import type { Purpose } from './failure.ts';
import { HttpSession } from './http-session.ts';
import { initialized, listsChanged, PING_REQUEST } from './own-messages.ts';
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
/** Failures to open a session that the next attempt meets as well. */
const FATAL: ReadonlySet<ErrorCode> = new Set(['upstream_needs_login', 'server_config_invalid']);

/**
 * A link over Streamable HTTP: every message is a POST, what belongs to no request arrives on a stream of its own.
 *
 * There is no connection that could break, so a request that fails fails alone. A session that the server has
 * forgotten is replaced by a new one, once for all requests that ran into it, and they are sent again.
 */
export class StreamableLink implements Link {
  readonly #target: HttpTarget;
  readonly #options: { readonly maxMessageBytes: number };
  readonly #agents = new HttpAgents();
  readonly #calls = new Map<string, HttpCall>();
  readonly #tellings = new Set<AbortController>();
  readonly #standing = new StandingRequests();
  #session: HttpSession;
  #stream: ServerStream | undefined;
  #handlers: LinkHandlers | undefined;
  #initialize: Buffer | undefined;
  /** Nothing but `initialize` goes out before the server has been told that we are initialized. */
  #admitted: Promise<void> = Promise.resolve();
  #renewal: Promise<void> | undefined;
  #probe: Promise<boolean> | undefined;
  #closing: Promise<void> | undefined;

  constructor(target: HttpTarget, options: { readonly maxMessageBytes: number }) {
    this.#target = target;
    this.#options = options;
    this.#session = new HttpSession(target, this.#agents);
  }

  async start(handlers: LinkHandlers): Promise<void> {
    this.#handlers = handlers;
  }

  send(message: readonly Chunk[], about: About): void {
    if (this.#closing !== undefined) return;
    const bytes = joinChunks(message);
    if (about.kind === 'request') {
      const { id, method } = about;
      if (method === INITIALIZE) this.#initialize = bytes;
      else this.#standing.note(method, bytes);
      void this.#request({ id, bytes }, method === INITIALIZE ? 'connect' : 'call');
    } else if (about.kind === 'notification' && about.method === INITIALIZED) {
      this.#admitted = this.#initialized(this.#session, bytes);
    } else if (about.kind === 'notification' && about.method === CANCELLED) {
      void this.#cancel(bytes, about.relatedRequest);
    } else {
      void this.#admitted.then(() => this.#tell(this.#session, bytes));
    }
  }

  close(): Promise<void> {
    return this.#finish(new Error('closed'));
  }

  async #request(request: SentRequest, purpose: Purpose): Promise<void> {
    const { id } = request;
    const call = this.#call(request, purpose, (frame) => {
      if (purpose === 'connect' && frame.kind === 'response') this.#learnVersion(this.#session, frame);
      this.#handlers?.onframe(frame);
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

  #call(request: SentRequest, purpose: Purpose, onframe: LinkHandlers['onframe']): HttpCall {
    return new HttpCall({
      request,
      target: this.#target,
      limit: this.#options.maxMessageBytes,
      purpose,
      onframe,
      onfault: (fault) => this.#handlers?.onfault(fault),
    });
  }

  #lose(id: string, error: ToolsiftError, purpose: Purpose): void {
    if (this.#closing !== undefined) return;
    this.#handlers?.onfault({ kind: 'lost', id, error });
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
    const call = this.#call(PING_REQUEST, 'call', () => {});
    this.#calls.set(PING_REQUEST.id, call);
    try {
      return (await call.run(session, true)) !== 'answered';
    } catch {
      // That it was not answered says nothing of the session.
      return false;
    } finally {
      this.#calls.delete(PING_REQUEST.id);
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
    if (this.#initialize === undefined)
      throw new ToolsiftError('upstream_start_failed', 'was never initialized');
    const id = '"renewal"';
    const request = { id, bytes: withId(this.#initialize, id) };
    const session = new HttpSession(this.#target, this.#agents);
    let answer: ResponseFrame | undefined;
    const call = this.#call(request, 'connect', (frame) => {
      if (frame.kind === 'response') answer = frame;
      else this.#handlers?.onframe(frame);
    });
    this.#calls.set(id, call);
    await call.run(session, false).finally(() => this.#calls.delete(id));
    if (answer?.result === undefined) {
      throw new ToolsiftError('upstream_start_failed', 'ended the session and refused a new one');
    }
    this.#learnVersion(session, answer);
    this.#stream?.stop();
    this.#session = session;
    await this.#initialized(session, initialized());
    for (const standing of this.#standing.again()) void this.#tell(session, standing);
    // A server that was started anew may offer something else.
    this.#handlers?.onframe(listsChanged());
  }

  /** A server that was started anew would have nowhere to say that its lists have changed. */
  async #lookAfter(session: HttpSession): Promise<void> {
    try {
      if (await this.#isForgotten(session)) await this.#renew(session);
    } catch {
      // The next call meets the same and has somebody to tell.
    }
  }

  #learnVersion(session: HttpSession, answer: ResponseFrame): void {
    const version = valueAt(answer, 'result', 'protocolVersion');
    if (typeof version === 'string') session.setProtocolVersion(version);
  }

  async #initialized(session: HttpSession, notification: Buffer): Promise<void> {
    await this.#tell(session, notification, ADMISSION_TIMEOUT_MS);
    if (this.#closing !== undefined) return;
    const options = this.#options;
    this.#stream = new ServerStream({
      session,
      get limit() {
        return options.maxMessageBytes;
      },
      onframe: (frame) => this.#handlers?.onframe(frame),
      onfault: (fault) => this.#handlers?.onfault(fault),
      onrefused: () => void this.#lookAfter(session),
    });
    void this.#stream.run();
  }

  async #cancel(notification: Buffer, id: string | undefined): Promise<void> {
    const call = this.#calls.get(id ?? '');
    await this.#tell(this.#session, notification, CANCEL_GRACE_MS);
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
    this.#handlers?.onclose(reason);
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
