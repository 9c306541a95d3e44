import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { HttpAgents } from '../agents.ts';
import { BodyTooLarge, readBody } from '../body.ts';
import { sendRequest } from '../http-request.ts';

/** Metadata, registrations and tokens are small. */
const MAX_BODY_BYTES = 1024 * 1024;
const TIMEOUT_MS = 30_000;
/** A response with one of these may have no body. */
const BODILESS = new Set([101, 103, 204, 205, 304]);

/** `fetch` for the SDK's way to log in: over our connections and proxies, bounded, redirects left to the SDK. */
export function oauthFetch(agents: HttpAgents): FetchLike {
  return async (input, init = {}) => {
    const url = new URL(input);
    const headers = new Headers(init.headers);
    const text = textOf(init.body);
    if (init.body instanceof URLSearchParams && !headers.has('content-type')) {
      headers.set('content-type', 'application/x-www-form-urlencoded;charset=UTF-8');
    }
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const method = init.method ?? 'GET';
    const request = { method, url, headers, body: text === undefined ? [] : [text], signal };
    const response = await sendRequest(request, agents);
    const body = await readBody(response.body, MAX_BODY_BYTES).catch((error: unknown) => {
      throw error instanceof BodyTooLarge ? new Error(`${url.origin} answered with ${error.message}`) : error;
    });
    return new Response(BODILESS.has(response.status) ? null : new Uint8Array(body), {
      status: response.status,
      statusText: response.statusText,
      headers: Object.entries(response.headers).flatMap(([name, value]): [string, string][] =>
        [value ?? []].flat().map((one) => [name, one]),
      ),
    });
  };
}

/** Bodies of the SDK are forms and JSON. */
function textOf(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString();
  throw new TypeError('a body that is neither text nor a form');
}
