import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Chunk } from '../../json/splice.ts';
import type { HttpAgents } from './agents.ts';
import { discard, type HttpResponse, sendRequest } from './http-request.ts';

/** One request as we mean it. The SDK's transports decide the head it gets, nothing else. */
export interface Exchange {
  readonly body: readonly Chunk[];
  readonly lastEventId: string | undefined;
  readonly signal: AbortSignal;
}

interface OpenExchange extends Exchange {
  response?: HttpResponse;
}

/**
 * The `fetch` given to an SDK transport, and the reason that bytes survive it.
 *
 * The transports are good at heads: session, protocol version, authorisation, redirects. They would also parse
 * every message and write it anew. So they are sent a stand-in that carries only a key; the seam puts the real
 * body under the head they made, keeps the response for us and tells them that there is nothing to read.
 */
export class HttpSeam {
  readonly #agents: HttpAgents;
  readonly #open = new Map<string, OpenExchange>();
  #lastKey = 0;

  constructor(agents: HttpAgents) {
    this.#agents = agents;
  }

  readonly fetch: FetchLike = async (url, init = {}) => {
    // The transports make headers anew for each request.
    const headers = init.headers as Headers;
    const exchange = this.#open.get(keyOf(init.body, headers));
    if (exchange?.lastEventId === undefined) headers.delete('last-event-id');
    else headers.set('last-event-id', exchange.lastEventId);
    const response = await sendRequest(
      {
        method: init.method ?? 'GET',
        url: new URL(url),
        headers,
        body: exchange?.body ?? [],
        signal: exchange?.signal ?? init.signal ?? undefined,
      },
      this.#agents,
    );
    if (exchange?.response !== undefined) discard(exchange.response);
    if (exchange === undefined) discard(response);
    else exchange.response = response;
    return standInFor(response, exchange === undefined ? response.status : nothingToRead(init.method));
  };

  /**
   * Has `send` make a transport send the stand-in of this exchange, and resolves with what the server answered.
   *
   * @throws what kept the request from being answered
   */
  async run(exchange: Exchange, send: (key: string) => Promise<void>): Promise<HttpResponse> {
    const key = String(++this.#lastKey);
    const open: OpenExchange = { ...exchange };
    this.#open.set(key, open);
    try {
      await send(key);
    } catch (error) {
      // A redirect out of the origin is an error to the transport and a response to us.
      if (open.response === undefined) throw error;
    } finally {
      this.#open.delete(key);
    }
    if (open.response === undefined) throw new Error('the transport sent nothing');
    return open.response;
  }
}

/** The message an SDK transport is told to send. */
export function standInMessage(key: string): JSONRPCMessage {
  return { jsonrpc: '2.0', id: key, method: 'stand-in' };
}

function keyOf(body: unknown, headers: Headers): string {
  if (typeof body !== 'string') return headers.get('last-event-id') ?? '';
  return (JSON.parse(body) as { id: string }).id;
}

function nothingToRead(method: string | undefined): number {
  return method === 'POST' ? 202 : 405;
}

function standInFor({ status, headers }: HttpResponse, settled: number): Response {
  const isRedirect = status >= 300 && status < 400;
  const kept = ['location', 'mcp-session-id'].flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return new Response(null, { status: isRedirect ? status : settled, headers: kept });
}
