import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorText } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import type { Authenticator } from './authenticator.ts';
import { allowOrigin, answerPreflight } from './cors.ts';
import type { HostRules } from './host-rules.ts';
import { McpEndpoint } from './mcp-endpoint.ts';
import type { Observer } from './observer.ts';
import { type ProtectedResource, refuseCaller, sendMetadata } from './protected-resource.ts';
import { header, refuse } from './refusal.ts';
import { describeRequest, pathOf, type RequestRecord, recordRequest } from './request-record.ts';
import type { HttpSessions } from './sessions.ts';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** How often connections are looked at for these. */
const TIMEOUT_CHECKS = 20;
const KEEP_ALIVE_MS = 65_000;
const MAX_HEADER_BYTES = 16 * 1024;
const DRAIN_CHECK_MS = 50;

export interface FrontOptions {
  /** Where MCP is spoken, e.g. `/mcp`. */
  readonly path: string;
  readonly hosts: HostRules;
  readonly authenticator: Authenticator;
  /** What clients are told that have to log in; none where nobody has to. */
  readonly resource: () => ProtectedResource | undefined;
  readonly sessions: HttpSessions;
  readonly maxBodyBytes: number;
  readonly maxOpenCalls: number;
  /** The head of a request has to have come in this time; default 10 s. */
  readonly headersTimeoutMs?: number;
  /** A request has to have come as a whole in this time; default 30 s. */
  readonly requestTimeoutMs?: number;
  readonly observer: Observer;
  readonly log: Logger;
}

interface Exchanged {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly record: RequestRecord;
}

/** Our HTTP server: who may come in, and where to. */
export class HttpFront {
  readonly #options: FrontOptions;
  readonly #server: Server;
  readonly #endpoint: McpEndpoint;
  #isDraining = false;

  constructor(options: FrontOptions) {
    this.#options = options;
    this.#endpoint = new McpEndpoint({ ...options, isDraining: () => this.#isDraining });
    const { headersTimeoutMs = HEADERS_TIMEOUT_MS, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
    this.#server = createServer({
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: requestTimeoutMs / TIMEOUT_CHECKS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    this.#server.on('request', (request, response) => void this.#handle(request, response));
  }

  /** Rejects where the address is taken or not ours. */
  listen(port: number, host: string): Promise<AddressInfo> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject);
        resolve(this.#server.address() as AddressInfo);
      });
    });
  }

  /** Takes nothing new and resolves when what was begun is done, after `limitMs` at the latest. */
  async drain(limitMs: number): Promise<void> {
    this.#isDraining = true;
    const endsAt = Date.now() + limitMs;
    while (this.#options.sessions.openCalls > 0 && Date.now() < endsAt) {
      await new Promise((resolve) => setTimeout(resolve, DRAIN_CHECK_MS));
    }
  }

  /** Ends every session and every connection. */
  async close(): Promise<void> {
    const { sessions } = this.#options;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    sessions.close(new Error('the server is stopping'));
    this.#server.closeIdleConnections();
    // What was just written leaves before its connection goes.
    setImmediate(() => this.#server.closeAllConnections());
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { observer, log } = this.#options;
    const record = recordRequest(request, response, (done) => {
      observer.onrequest(done);
      log.info(describeRequest(done));
    });
    try {
      await this.#route({ request, response, record });
    } catch (error) {
      log.error(
        `bug while answering HTTP request ${record.id}: ${error instanceof Error ? error.stack : errorText(error)}`,
      );
      refuse(response, { status: 500, message: 'Internal error' });
    }
  }

  async #route(exchanged: Exchanged): Promise<void> {
    const { request, response } = exchanged;
    const { hosts, path } = this.#options;
    const resource = this.#options.resource();
    const asked = pathOf(request);
    if (asked === '/healthz') sendText(response, 200, 'ok');
    else if (asked === '/readyz')
      sendText(response, this.#isDraining ? 503 : 200, this.#isDraining ? 'stopping' : 'ready');
    else if (!hosts.allowsHost(request.headers.host))
      refuse(response, { status: 403, message: 'Forbidden: unknown Host' });
    else if (!hosts.allowsOrigin(header(request, 'origin'), request.headers.host)) {
      refuse(response, { status: 403, message: 'Forbidden: unknown Origin' });
    } else {
      allowOrigin(request, response, hosts);
      if (request.method === 'OPTIONS') answerPreflight(response);
      else if (resource?.isMetadata(asked)) sendMetadata(request, response, resource);
      else if (asked === path || asked === '/metrics') await this.#admit(exchanged, asked);
      else refuse(response, { status: 404, message: `Not Found: MCP is spoken at ${path}` });
    }
  }

  async #admit(exchanged: Exchanged, asked: string): Promise<void> {
    const { request, response, record } = exchanged;
    const { authenticator, observer } = this.#options;
    const resource = this.#options.resource();
    const result = await authenticator.authenticate(request.headers.authorization);
    if ('refusal' in result) {
      refuseCaller({ request, response, refusal: result.refusal, resource });
      return;
    }
    record.subject = result.caller.subject;
    if (asked === '/metrics') {
      const { type, text } = await observer.metrics();
      response.writeHead(200, { 'content-type': type }).end(text);
    } else await this.#endpoint.handle({ ...exchanged, caller: result.caller });
  }
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end(`${text}\n`);
}
