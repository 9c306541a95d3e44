import type { Chunk } from '../../json/splice.ts';
import type { HttpAgents } from './agents.ts';
import { discard } from './body.ts';
import type { HttpResponse } from './http-request.ts';
import { readChallenge } from './login/challenge.ts';
import { sendWithinOrigin } from './redirects.ts';
import type { HttpTarget } from './target.ts';

export interface TargetRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: URL;
  readonly body: readonly Chunk[];
  /** Headers of the protocol's own; they come before those of the entry. */
  readonly headers: Readonly<Record<string, string>>;
  /** The protocol version agreed on; an entry may insist on another. */
  readonly protocolVersion: string | undefined;
  readonly signal: AbortSignal;
}

/** Sends a request with what the entry says and what a login gives; a second time where that gives something new. */
export async function sendToTarget(
  request: TargetRequest,
  target: HttpTarget,
  agents: HttpAgents,
): Promise<HttpResponse> {
  const { method, url, body, signal } = request;
  for (let isRepeated = false; ; isRepeated = true) {
    const headers = new Headers(target.headers);
    const credential = await target.access?.authorization();
    if (credential !== undefined) headers.set('authorization', credential);
    if (request.protocolVersion !== undefined && !headers.has('mcp-protocol-version')) {
      headers.set('mcp-protocol-version', request.protocolVersion);
    }
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, value);
    const response = await sendWithinOrigin({ method, url, headers, body, signal }, agents);
    if (isRepeated || target.access === undefined || (response.status !== 401 && response.status !== 403)) {
      return response;
    }
    const challenge = readChallenge(response.status, response.headers['www-authenticate']);
    if (!(await target.access.renewAfter(challenge, credential))) return response;
    discard(response.body);
  }
}
