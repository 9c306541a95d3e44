import { ToolsiftError } from '../../errors.ts';
import { type Chunk, joinChunks } from '../../json/splice.ts';
import { type Frame, idOf, memberOf, membersOf, parsePart, readFrames } from '../../jsonrpc/frame.ts';
import type { Link } from '../../jsonrpc/link.ts';
import { HttpAgents } from './agents.ts';
import { discard, isEventStream, readEvents, readRefusal } from './body.ts';
import { networkFailure, type Purpose, rpcErrorIn, statusFailure } from './failure.ts';
import type { HttpResponse } from './http-request.ts';
import { isWithinOrigin, sendWithinOrigin } from './redirects.ts';
import type { HttpTarget } from './target.ts';

const PING_ID = '"still-there"';
const PING = Buffer.from(`{"jsonrpc":"2.0","id":${PING_ID},"method":"ping"}`);

/**
 * A link over HTTP+SSE, the transport of protocol 2024-11-05: one stream brings everything the server says, its
 * first event names where to POST. The session is the stream, so the link ends with it.
 */
export class SseLink implements Link {
  onframe: Link['onframe'] = () => {};
  onfault: Link['onfault'] = () => {};
  onclose: Link['onclose'] = () => {};
  readonly #target: HttpTarget;
  readonly #limit: number;
  readonly #agents = new HttpAgents();
  readonly #abort = new AbortController();
  /** Where the server wants messages, once it has said so. */
  #endpoint: Promise<URL> | undefined;
  #isOpen = false;
  #initializeId: string | undefined;
  #protocolVersion: string | undefined;
  #admitted: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(target: HttpTarget, options: { readonly maxMessageBytes: number }) {
    this.#target = target;
    this.#limit = options.maxMessageBytes;
  }

  async start(): Promise<void> {}

  send(message: readonly Chunk[]): void {
    const frame = readFrames(joinChunks(message))[0];
    if (frame === undefined || this.#isClosed) return;
    if (frame.method === 'initialize') {
      this.#initializeId = idOf(frame);
      void this.#request(frame, 'connect');
    } else if (frame.kind === 'request') {
      void this.#request(frame, 'call');
    } else if (frame.method === 'notifications/initialized') {
      this.#admitted = this.#tell(frame);
    } else {
      void this.#admitted.then(() => this.#tell(frame));
    }
  }

  async close(): Promise<void> {
    this.#finish(new Error('closed'));
  }

  /** Has the message accepted; its answer comes on the stream. */
  async #request(frame: Frame, purpose: Purpose): Promise<void> {
    try {
      await this.#admitted;
      const response = await this.#post(frame.bytes);
      if (response.status >= 200 && response.status < 300) {
        discard(response.body);
        return;
      }
      const body = await readRefusal(response.body, this.#limit);
      const said = rpcErrorIn(body);
      const isOurs = said !== undefined && idOf(said.frame) === idOf(frame);
      if (isOurs && purpose === 'call') this.onframe(said.frame);
      else throw statusFailure(purpose, response, body, this.#target);
    } catch (error) {
      this.#lose(idOf(frame), networkFailure(purpose, error, this.#target));
    }
  }

  async #tell(frame: Frame): Promise<void> {
    try {
      discard((await this.#post(frame.bytes)).body);
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
      about: { 'content-type': 'application/json' },
    });
  }

  async #send({ method, url, body, about }: Outgoing): Promise<HttpResponse> {
    const headers = await this.#target.headers();
    if (this.#protocolVersion !== undefined && !headers.has('mcp-protocol-version')) {
      headers.set('mcp-protocol-version', this.#protocolVersion);
    }
    for (const [name, value] of Object.entries(about)) headers.set(name, value);
    return sendWithinOrigin({ method, url, headers, body, signal: this.#abort.signal }, this.#agents);
  }

  #lose(id: string, error: ToolsiftError): void {
    if (this.#isClosed) return;
    this.onfault({ kind: 'lost', id, error });
    // The session a 404 speaks of is this link's only one; whether a 401 is about more than the call, it does not say.
    if (error.facts.httpStatus === 404) this.#finish(error);
    else if (error.code === 'upstream_needs_login') void this.#endIfRefused(error);
  }

  /** A server that does not even take a ping takes nothing more; whether it wants a login, the next link finds out. */
  async #endIfRefused({ message, facts }: ToolsiftError): Promise<void> {
    try {
      const { status, body } = await this.#post(PING);
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
        about: { accept: 'text/event-stream' },
      });
      if (response.status !== 200 || !isEventStream(response.headers)) {
        const body = await readRefusal(response.body, this.#limit);
        throw statusFailure('connect', response, body, this.#target);
      }
      return await this.#follow(response);
    } catch (error) {
      throw networkFailure('connect', error, this.#target);
    }
  }

  /** Reads the stream to its end; resolves with the address its first event names. */
  #follow({ body, url }: HttpResponse): Promise<URL> {
    return new Promise((resolve, reject) => {
      const ended = (cause: unknown) => {
        if (this.#isOpen) this.#finish(networkFailure('call', cause, this.#target));
        else reject(cause);
      };
      readEvents(body, {
        limit: this.#limit,
        onframe: (frame) => this.#receive(frame),
        onfault: (fault) => this.onfault(fault),
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
    if (frame.kind === 'response' && idOf(frame) === PING_ID) return;
    if (frame.kind === 'response' && idOf(frame) === this.#initializeId) {
      const version = parsePart(frame, memberOf(membersOf(frame, frame.result), 'protocolVersion'));
      if (typeof version === 'string') this.#protocolVersion = version;
    }
    this.onframe(frame);
  }

  #finish(reason: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#abort.abort();
    this.#agents.destroy();
    this.onclose(reason);
  }
}

interface Outgoing {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly body: readonly Chunk[];
  /** Headers that say what the request holds or expects. */
  readonly about: Readonly<Record<string, string>>;
}

/** The address to POST to, if it is one of the origin that the stream came from. */
function endpointIn(data: Buffer, base: URL): URL | undefined {
  const text = data.toString('utf8').trim();
  const endpoint = URL.canParse(text, base.href) ? new URL(text, base) : undefined;
  return endpoint?.origin === base.origin && isWithinOrigin(base, endpoint) ? endpoint : undefined;
}
