import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { ToolsiftError } from '../../errors.ts';
import { type Chunk, joinChunks } from '../../json/splice.ts';
import { type Frame, idOf, memberOf, membersOf, parsePart, readFrames } from '../../jsonrpc/frame.ts';
import type { Link } from '../../jsonrpc/link.ts';
import { HttpAgents } from './agents.ts';
import { isEventStream, readBody, readEvents } from './body.ts';
import { networkFailure, type Purpose, rpcErrorIn, statusFailure } from './failure.ts';
import { discard, type HttpResponse, sendRequest } from './http-request.ts';
import { HttpSeam, standInMessage } from './http-seam.ts';
import type { HttpTarget } from './target.ts';

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
  readonly #seam = new HttpSeam(this.#agents);
  readonly #transport: SSEClientTransport;
  readonly #abort = new AbortController();
  #opening: Promise<void> | undefined;
  #isOpen = false;
  #openFailure: ToolsiftError | undefined;
  #initializeId: string | undefined;
  #admitted: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(target: HttpTarget, options: { readonly maxMessageBytes: number }) {
    this.#target = target;
    this.#limit = options.maxMessageBytes;
    this.#transport = new SSEClientTransport(target.url, {
      fetch: this.#fetch,
      requestInit: { headers: target.headers },
    });
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
      this.#opening ??= this.#open();
      await this.#opening;
      await this.#admitted;
      const response = await this.#post(frame.bytes, purpose);
      if (response.status >= 200 && response.status < 300) {
        discard(response);
        return;
      }
      const body = await readBody(response.body, this.#limit);
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
      discard(await this.#post(frame.bytes, 'call'));
    } catch {
      // That a notification did not arrive is nothing anybody could act on.
    }
  }

  async #post(message: Buffer, purpose: Purpose): Promise<HttpResponse> {
    try {
      const exchange = { body: [message], lastEventId: undefined, signal: this.#abort.signal };
      return await this.#seam.run(exchange, (key) => this.#transport.send(standInMessage(key)));
    } catch (error) {
      throw networkFailure(purpose, error, this.#target);
    }
  }

  #lose(id: string, error: ToolsiftError): void {
    if (this.#isClosed) return;
    this.onfault({ kind: 'lost', id, error });
    // The session a 404 speaks of is this link's only one.
    if (error.code === 'upstream_needs_login' || error.facts.httpStatus === 404) this.#finish(error);
  }

  async #open(): Promise<void> {
    try {
      await this.#transport.start();
      this.#isOpen = true;
    } catch (error) {
      // Otherwise the transport's event source would try again by itself.
      await this.#transport.close();
      throw this.#openFailure ?? networkFailure('connect', error, this.#target);
    }
  }

  readonly #fetch: FetchLike = async (url, init = {}) => {
    if (init.method === 'POST') return this.#seam.fetch(url, init);
    const headers = init.headers as Headers;
    const request = { method: 'GET', url: new URL(url), headers, body: [], signal: this.#abort.signal };
    try {
      const response = await sendRequest(request, this.#agents);
      if (response.status === 200 && isEventStream(response.headers)) return this.#streamFor(response);
      const body = await readBody(response.body, this.#limit);
      this.#openFailure = statusFailure('connect', response, body, this.#target);
      const { location } = response.headers;
      return new Response(null, {
        status: response.status < 300 ? 500 : response.status,
        headers: location === undefined ? {} : { location },
      });
    } catch (error) {
      this.#openFailure = networkFailure('connect', error, this.#target);
      throw error;
    }
  };

  /** What the transport gets to read: the events that tell where to POST; messages are taken out before. */
  #streamFor({ body }: HttpResponse): Response {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const ended = (cause: unknown) => this.#streamEnded(cause, writer);
    void readEvents(body, {
      limit: this.#limit,
      onframe: (frame) => this.#receive(frame),
      onfault: (fault) => this.onfault(fault),
      onid: () => {},
      onretry: () => {},
      onother: (type, data) => {
        const text = `event: ${type}\ndata: ${data.toString('utf8').replaceAll('\n', '\ndata: ')}\n\n`;
        // Fails when the transport has stopped reading, and then wants no more.
        writer.write(Buffer.from(text)).catch(() => {});
      },
    }).then(() => ended(new Error('the server ended its event stream')), ended);
    return new Response(readable, { headers: { 'content-type': 'text/event-stream' } });
  }

  #receive(frame: Frame): void {
    if (frame.kind === 'response' && idOf(frame) === this.#initializeId) {
      const version = parsePart(frame, memberOf(membersOf(frame, frame.result), 'protocolVersion'));
      if (typeof version === 'string') this.#transport.setProtocolVersion(version);
    }
    this.onframe(frame);
  }

  #streamEnded(cause: unknown, writer: WritableStreamDefaultWriter<Uint8Array>): void {
    if (this.#isClosed) return;
    this.#openFailure = networkFailure('connect', cause, this.#target);
    if (this.#isOpen) this.#finish(networkFailure('call', cause, this.#target));
    else void writer.close();
  }

  #finish(reason: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#abort.abort();
    void this.#transport.close();
    this.#agents.destroy();
    this.onclose(reason);
  }
}
