import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HostRules } from './host-rules.ts';

const PREFLIGHT_SECONDS = '600';

/** Lets pages of the configured origins read what we answer. */
export function allowOrigin(request: IncomingMessage, response: ServerResponse, rules: HostRules): void {
  const { origin } = request.headers;
  if (origin === undefined || !rules.isConfigured(origin)) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('vary', 'Origin');
  response.setHeader('access-control-expose-headers', 'Mcp-Session-Id, WWW-Authenticate, X-Request-Id');
}

/** Answers what a browser asks before it sends the request of a page. */
export function answerPreflight(response: ServerResponse): void {
  response
    .writeHead(204, {
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers':
        'Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Protocol-Version, Mcp-Session-Id',
      'access-control-max-age': PREFLIGHT_SECONDS,
    })
    .end();
}
