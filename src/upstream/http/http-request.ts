import {
  type ClientRequest,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Chunk } from '../../json/splice.ts';
import type { HttpAgents } from './agents.ts';

/** Name lookup, TCP and TLS together; after that a server may take all the time it wants to answer. */
const CONNECT_TIMEOUT_MS = 15_000;
/** How long a silent connection may be before the system asks whether the other side is still there. */
const TCP_KEEP_ALIVE_MS = 30_000;

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: readonly Chunk[];
  readonly signal: AbortSignal | undefined;
}

export interface HttpResponse {
  /** What was asked, after redirects. */
  readonly url: URL;
  readonly status: number;
  readonly statusText: string;
  readonly headers: IncomingHttpHeaders;
  /** Decompressed; errors when the response breaks off. */
  readonly body: Readable;
}

/** Sends one request and resolves with the head of the response; redirects are not followed. */
export function sendRequest(request: HttpRequest, agents: HttpAgents): Promise<HttpResponse> {
  const { method, url, body, signal } = request;
  const route = agents.routeTo(url);
  const headers = {
    'user-agent': 'toolsift',
    ...Object.fromEntries(request.headers),
    'accept-encoding': 'gzip, deflate, br',
    ...(method === 'POST' && { 'content-length': byteLength(body) }),
    ...route.headers,
  };
  const send = route.isSecure ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const outgoing = send({
      ...route.target,
      agent: route.agent,
      method,
      headers,
      ...(signal === undefined ? {} : { signal }),
    });
    limitConnecting(outgoing);
    outgoing.on('error', reject);
    outgoing.once('response', (response) => resolve(asResponse(url, response)));
    for (const chunk of body) outgoing.write(chunk);
    outgoing.end();
  });
}

function limitConnecting(outgoing: ClientRequest): void {
  const timer = setTimeout(() => {
    outgoing.destroy(new Error(`no connection within ${CONNECT_TIMEOUT_MS / 1000} s`));
  }, CONNECT_TIMEOUT_MS).unref();
  const stop = () => clearTimeout(timer);
  outgoing.once('close', stop);
  outgoing.once('socket', (socket) => {
    if (outgoing.reusedSocket) return stop();
    socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS);
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', stop);
  });
}

function asResponse(url: URL, response: IncomingMessage): HttpResponse {
  const { headers } = response;
  const decoder = decoderFor(headers['content-encoding']);
  return {
    url,
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    headers,
    // A failure of either end shows as an error of the decoder, which is what gets read.
    body: decoder === undefined ? response : pipeline(response, decoder, () => {}),
  };
}

function decoderFor(encoding: string | undefined): Transform | undefined {
  // Flushed with every chunk: an event must not wait for the next one.
  const zlib = { flush: constants.Z_SYNC_FLUSH };
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(zlib);
    case 'deflate':
      return createInflate(zlib);
    case 'br':
      return createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH });
    default:
      return undefined;
  }
}

function byteLength(chunks: readonly Chunk[]): number {
  return chunks.reduce(
    (sum, chunk) => sum + (typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length),
    0,
  );
}
