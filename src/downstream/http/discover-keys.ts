import { ToolsiftError } from '../../errors.ts';

/**
 * Where an issuer says that its keys are, by its metadata (RFC 8414, OpenID Connect Discovery).
 *
 * @throws ToolsiftError `auth_unavailable` where it does not say so now
 */
export async function discoverKeys(issuer: string, timeoutMs: number): Promise<string> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const addresses = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  const failures: unknown[] = [];
  for (const address of addresses) {
    try {
      const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
      const metadata: unknown = await response.json();
      const found = keysIn(metadata, issuer);
      if (response.ok && found !== undefined) return found;
    } catch (error) {
      failures.push(error);
    }
  }
  throw new ToolsiftError('auth_unavailable', `the issuer ${issuer} does not say where its keys are`, {
    cause: failures[0],
  });
}

function keysIn(metadata: unknown, issuer: string): string | undefined {
  if (typeof metadata !== 'object' || metadata === null) return undefined;
  const { jwks_uri: url, issuer: named } = metadata as { jwks_uri?: unknown; issuer?: unknown };
  // Metadata of another issuer would have us trust its keys.
  return named === issuer && typeof url === 'string' && URL.canParse(url) ? url : undefined;
}
