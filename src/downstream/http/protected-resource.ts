import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthRefusal } from './authenticator.ts';
import { sendJson } from './json-answer.ts';
import { refuse } from './refusal.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

export interface ProtectedResourceOptions {
  /** Where MCP is spoken, e.g. `/mcp`. */
  readonly path: string;
  /** Our address as clients know it; taken from the request where absent. */
  readonly publicUrl?: string | undefined;
  /** Who issues our access tokens. */
  readonly issuer: string;
  /** Scopes a token has to have. */
  readonly scopes: readonly string[];
}

/** What we tell clients about where to log in (RFC 9728). */
export class ProtectedResource {
  readonly scopes: readonly string[];
  readonly #options: ProtectedResourceOptions;

  constructor(options: ProtectedResourceOptions) {
    this.#options = options;
    this.scopes = options.scopes;
  }

  isMetadata(path: string): boolean {
    return path === WELL_KNOWN || path === `${WELL_KNOWN}${this.#options.path}`;
  }

  metadata(request: IncomingMessage): string {
    const { issuer, scopes } = this.#options;
    return JSON.stringify({
      resource: this.#address(request),
      authorization_servers: [issuer],
      ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
      bearer_methods_supported: ['header'],
      resource_name: 'toolsift',
    });
  }

  metadataUrl(request: IncomingMessage): string {
    const { origin, pathname } = new URL(this.#address(request));
    return `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}`;
  }

  #address(request: IncomingMessage): string {
    const { publicUrl, path } = this.#options;
    return publicUrl ?? `http://${request.headers.host}${path}`;
  }
}

export function sendMetadata(
  request: IncomingMessage,
  response: ServerResponse,
  resource: ProtectedResource,
): void {
  if (request.method === 'GET') sendJson(response, 200, [resource.metadata(request)]);
  else refuse(response, { status: 405, message: 'Method not allowed' });
}

/** Refuses a caller and says how it could come in. */
export function refuseCaller({
  request,
  response,
  refusal,
  resource,
}: {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly refusal: AuthRefusal;
  readonly resource: ProtectedResource | undefined;
}): void {
  const { status, error, description } = refusal;
  if (status !== 503) {
    const parameters = [
      ...(error === undefined ? [] : [`error="${error}"`, `error_description="${description}"`]),
      ...(resource === undefined || resource.scopes.length === 0
        ? []
        : [`scope="${resource.scopes.join(' ')}"`]),
      ...(resource === undefined ? [] : [`resource_metadata="${resource.metadataUrl(request)}"`]),
    ];
    response.setHeader('www-authenticate', ['Bearer', parameters.join(', ')].join(' ').trim());
  }
  refuse(response, { status, message: description, ...(status === 503 ? { retryAfterSeconds: 5 } : {}) });
}
