import { ToolsiftError } from '../../errors.ts';
import { type Chunk, joinChunks } from '../../json/splice.ts';
import { type Frame, idOf, valueAt } from '../../jsonrpc/frame.ts';
import type { Link, LinkHandlers } from '../../jsonrpc/link.ts';
import type { About } from '../../jsonrpc/message.ts';
import { INITIALIZE, INITIALIZED } from '../../mcp/methods.ts';
import { HttpAgents } from './agents.ts';
import { discard, isEventStream, readEvents, readRefusal } from './body.ts';
import type { SentRequest } from './call.ts';
import { networkFailure, type Purpose, rpcErrorIn, statusFailure } from './failure.ts';
import type { HttpResponse } from './http-request.ts';
import { PING_REQUEST } from './own-messages.ts';
import { isWithinOrigin } from './redirects.ts';
import { sendToTarget, type TargetRequest } from './send-to-target.ts';
import type { HttpTarget } from './target.ts';

/**
 * A link over HTTP+SSE, the transport of protocol 2024-11-05: one stream brings everything the server says, its
 * first event names where to POST. The session is the stream, so the link ends with it.
 */
export class SseLink implements Link {
  readonly #target: HttpTarget;
  readonly #options: { readonly maxMessageBytes: number };
  readonly #agents = new HttpAgents();
  readonly #abort = new AbortController();
  #handlers: LinkHandlers | undefined;
  /** Where the server wants messages, once it has said so. */
  #endpoint: Promise<URL> | undefined;
  #isOpen = false;
  #initializeId: string | undefined;
  #protocolVersion: string | undefined;
  #admitted: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(target: HttpTarget, options: { readonly maxMessageBytes: number }) {
    this.#target = target;
    this.#options = options;
  }

  async start(handlers: LinkHandlers): Promise<void> {
    this.#handlers = handlers;
  }

  send(message: readonly Chunk[], about: About): void {
    if (this.#isClosed) return;
    const bytes = joinChunks(message);
    if (about.kind === 'request') {
      const { id, method } = about;
      if (method === INITIALIZE) this.#initializeId = id;
      void this.#request({ id, bytes }, method === INITIALIZE ? 'connect' : 'call');
    } else if (about.kind === 'notification' && about.method === INITIALIZED) {
      this.#admitted = this.#tell(bytes);
    } else {
      void this.#admitted.then(() => this.#tell(bytes));
    }
  }

  async close(): Promise<void> {
    this.#finish(new Error('closed'));
  }

  /** Has the message accepted; its answer comes on the stream. */
  async #request({ id, bytes }: SentRequest, purpose: Purpose): Promise<void> {
    try {
      await this.#admitted;
      const response = await this.#post(bytes);
      if (response.status >= 200 && response.status < 300) {
        discard(response.body);
        return;
      }
      const body = await readRefusal(response.body, this.#options.maxMessageBytes);
      const said = rpcErrorIn(body);
      const isOurs = said !== undefined && idOf(said.frame) === id;
      if (isOurs && purpose === 'call') this.#handlers?.onframe(said.frame);
      else throw statusFailure(purpose, response, body, this.#target);
    } catch (error) {
      this.#lose(id, networkFailure(purpose, error, this.#target));
    }
  }

  async #tell(message: Buffer): Promise<void> {
    try {
      discard((await this.#post(message)).body);
    } catch {
      // That a notification did not arrive is nothing anybody could act on.
    }
  }

  async #post(message: Buffer): Promise<HttpResponse> {
    this.#endpoint ??= this.#open();
    const url = await this.#endpoint;
    return this.#send({
      method: 'POST',
      url,
      body: [message],
      headers: { 'content-type': 'application/json' },
    });
  }

  #send(request: Omit<TargetRequest, 'protocolVersion' | 'signal'>): Promise<HttpResponse> {
    return sendToTarget(
      { ...request, protocolVersion: this.#protocolVersion, signal: this.#abort.signal },
      this.#target,
      this.#agents,
    );
  }

  #lose(id: string, error: ToolsiftError): void {
    if (this.#isClosed) return;
    this.#handlers?.onfault({ kind: 'lost', id, error });
    // The session a 404 speaks of is this link's only one; whether a 401 is about more than the call, it does not say.
    if (error.facts.httpStatus === 404) this.#finish(error);
    else if (error.code === 'upstream_needs_login') void this.#endIfRefused(error);
  }

  /** A server that does not even take a ping takes nothing more; whether it wants a login, the next link finds out. */
  async #endIfRefused({ message, facts }: ToolsiftError): Promise<void> {
    try {
      const { status, body } = await this.#post(PING_REQUEST.bytes);
      discard(body);
      if (status < 400 || status >= 500) return;
    } catch {
      return;
    }
    this.#finish(new ToolsiftError('upstream_exited', message, { facts }));
  }

  /** Opens the stream and resolves once the server has said where to POST. */
  async #open(): Promise<URL> {
    const { url } = this.#target;
    try {
      const response = await this.#send({
        method: 'GET',
        url,
        body: [],
        headers: { accept: 'text/event-stream' },
      });
      if (response.status !== 200 || !isEventStream(response.headers)) {
        const body = await readRefusal(response.body, this.#options.maxMessageBytes);
        throw statusFailure('connect', response, body, this.#target);
      }
      return await this.#follow(response);
    } catch (error) {
      throw networkFailure('connect', error, this.#target);
    }
  }

  /** Reads the stream to its end; resolves with the address its first event names. */
  #follow({ body, url }: HttpResponse): Promise<URL> {
    const options = this.#options;
    return new Promise((resolve, reject) => {
      const ended = (cause: unknown) => {
        if (this.#isOpen) this.#finish(networkFailure('call', cause, this.#target));
        else reject(cause);
      };
      readEvents(body, {
        get limit() {
          return options.maxMessageBytes;
        },
        onframe: (frame) => this.#receive(frame),
        onfault: (fault) => this.#handlers?.onfault(fault),
        onid: () => {},
        onretry: () => {},
        onother: (type, data) => {
          if (type !== 'endpoint') return;
          const endpoint = endpointIn(data, url);
          this.#isOpen = endpoint !== undefined;
          if (endpoint !== undefined) resolve(endpoint);
          else body.destroy(new Error('it names an address of another origin to POST to'));
        },
      }).then(() => ended(new Error('the server ended its event stream')), ended);
    });
  }

  #receive(frame: Frame): void {
    if (frame.kind === 'response' && idOf(frame) === PING_REQUEST.id) return;
    if (frame.kind === 'response' && idOf(frame) === this.#initializeId) {
      const version = valueAt(frame, 'result', 'protocolVersion');
      if (typeof version === 'string') this.#protocolVersion = version;
    }
    this.#handlers?.onframe(frame);
  }

  #finish(reason: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#abort.abort();
    this.#agents.destroy();
    this.#handlers?.onclose(reason);
  }
}

/** The address to POST to, if it is one of the origin that the stream came from. */
function endpointIn(data: Buffer, base: URL): URL | undefined {
  const text = data.toString('utf8').trim();
  const endpoint = URL.canParse(text, base.href) ? new URL(text, base) : undefined;
  return endpoint?.origin === base.origin && isWithinOrigin(base, endpoint) ? endpoint : undefined;
}
