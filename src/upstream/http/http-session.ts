import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Chunk } from '../../json/splice.ts';
import type { HttpAgents } from './agents.ts';
import type { HttpResponse } from './http-request.ts';
import { HttpSeam, standInMessage } from './http-seam.ts';
import type { HttpTarget } from './target.ts';

/** One Streamable HTTP session, from `initialize` to its end. It sends requests and reads no answers. */
export class HttpSession {
  readonly #seam: HttpSeam;
  readonly #transport: StreamableHTTPClientTransport;

  constructor({ url, headers }: HttpTarget, agents: HttpAgents) {
    this.#seam = new HttpSeam(agents);
    this.#transport = new StreamableHTTPClientTransport(url, {
      fetch: this.#seam.fetch,
      requestInit: { headers },
    });
    void this.#transport.start();
  }

  /** Whether the server gave the session an id, which it may forget. */
  get hasId(): boolean {
    return this.#transport.sessionId !== undefined;
  }

  setProtocolVersion(version: string): void {
    this.#transport.setProtocolVersion(version);
  }

  post(body: readonly Chunk[], signal: AbortSignal): Promise<HttpResponse> {
    return this.#seam.run({ body, lastEventId: undefined, signal }, (key) =>
      this.#transport.send(standInMessage(key)),
    );
  }

  /** Opens a stream of events; those after `lastEventId` when it is given. */
  get(lastEventId: string | undefined, signal: AbortSignal): Promise<HttpResponse> {
    return this.#seam.run({ body: [], lastEventId, signal }, (key) => this.#transport.resumeStream(key));
  }

  /** Tells the server that the session is over, if it gave it an id. */
  async end(): Promise<void> {
    await this.#transport.terminateSession();
  }

  async abandon(): Promise<void> {
    await this.#transport.close();
  }
}
