import type { HttpAgents } from './agents.ts';
import { discard } from './body.ts';
import { type HttpRequest, type HttpResponse, sendRequest } from './http-request.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a request and follows redirects that leave it the same request to the same server. All others are
 * returned as they came: what a request carries is for the origin its entry names.
 */
export async function sendWithinOrigin(request: HttpRequest, agents: HttpAgents): Promise<HttpResponse> {
  let { url } = request;
  for (let followed = 0; ; followed++) {
    const response = await sendRequest({ ...request, url }, agents);
    const location = redirectOf(response);
    const isFollowed =
      location !== undefined &&
      followed < MAX_REDIRECTS &&
      keepsMethod(request.method, response.status) &&
      isWithinOrigin(url, location);
    if (!isFollowed) return response;
    discard(response.body);
    url = location;
  }
}

/** Where a response sends us instead. */
export function redirectOf({ status, headers: { location }, url }: HttpResponse): URL | undefined {
  if (!REDIRECTS.has(status) || location === undefined || !URL.canParse(location, url.href)) return undefined;
  return new URL(location, url);
}

/**
 * The same scheme, host and port, or the step from http to https that servers in front of others ask for. Whoever
 * adds user info does not mean the same.
 */
export function isWithinOrigin(from: URL, to: URL): boolean {
  if (to.username !== '' || to.password !== '') return false;
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:';
  return from.host === to.host && (from.protocol === to.protocol || (isUpgrade && from.port === ''));
}

/** By the rules of `fetch`, all others make a GET of a POST, and 303 of everything. */
function keepsMethod(method: string, status: number): boolean {
  if (status === 307 || status === 308 || method === 'GET') return true;
  return method !== 'POST' && status !== 303;
}
