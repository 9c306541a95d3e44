import type { Chunk } from '../../json/splice.ts';
import type { HttpAgents } from './agents.ts';
import type { HttpResponse } from './http-request.ts';
import { sendToTarget, type TargetRequest } from './send-to-target.ts';
import type { HttpTarget } from './target.ts';

const ACCEPTED_ANSWERS = 'application/json, text/event-stream';

/** One Streamable HTTP session, from `initialize` to its end. It sends requests and reads no answers. */
export class HttpSession {
  readonly #target: HttpTarget;
  readonly #agents: HttpAgents;
  #id: string | undefined;
  #protocolVersion: string | undefined;

  constructor(target: HttpTarget, agents: HttpAgents) {
    this.#target = target;
    this.#agents = agents;
  }

  /** Whether the server gave the session an id, which it may forget. */
  get hasId(): boolean {
    return this.#id !== undefined;
  }

  /** From now on every request names the version agreed on. */
  setProtocolVersion(version: string): void {
    this.#protocolVersion = version;
  }

  async post(body: readonly Chunk[], signal: AbortSignal): Promise<HttpResponse> {
    const headers = { 'content-type': 'application/json', accept: ACCEPTED_ANSWERS };
    const response = await this.#send({ method: 'POST', headers, body, signal });
    const id = response.headers['mcp-session-id'];
    if (typeof id === 'string' && id !== '') this.#id = id;
    return response;
  }

  /** Opens a stream of events; those after `lastEventId` when it is given. */
  get(lastEventId: string | undefined, signal: AbortSignal): Promise<HttpResponse> {
    const resumption = lastEventId === undefined ? {} : { 'last-event-id': asHeader(lastEventId) };
    const headers = { accept: 'text/event-stream', ...resumption };
    return this.#send({ method: 'GET', headers, body: [], signal });
  }

  /** Tells the server that the session is over, if it gave it an id. */
  async end(signal: AbortSignal): Promise<void> {
    if (this.#id !== undefined) await this.#send({ method: 'DELETE', headers: {}, body: [], signal });
  }

  #send(request: Omit<TargetRequest, 'url' | 'protocolVersion'>): Promise<HttpResponse> {
    const session = this.#id === undefined ? {} : { 'mcp-session-id': this.#id };
    return sendToTarget(
      {
        ...request,
        url: this.#target.url,
        headers: { ...request.headers, ...session },
        protocolVersion: this.#protocolVersion,
      },
      this.#target,
      this.#agents,
    );
  }
}

/** Headers are bytes; the standard of event streams wants an id in UTF-8. */
function asHeader(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
