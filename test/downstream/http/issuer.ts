import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';

/** An issuer of access tokens on a free port: metadata, keys, and tokens of whatever kind a test asks for. */
export async function startIssuer() {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  const asked: string[] = [];
  let isAway = false;
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    if (isAway) response.writeHead(500).end();
    else if (path === '/keys') response.end(JSON.stringify({ keys: [jwk] }));
    else if (path === '/.well-known/oauth-authorization-server') {
      response.end(JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }));
    } else response.writeHead(404).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    publicKey,
    asked,
    setAway(away: boolean) {
      isAway = away;
    },
    /** A token that is right in everything but what `claims` says. */
    token(claims: Readonly<Record<string, unknown>> = {}, { key = privateKey, kid = 'one' } = {}) {
      const now = Math.floor(Date.now() / 1000);
      const all = {
        iss: url,
        aud: 'https://mcp.example.com/mcp',
        sub: 'alice',
        iat: now,
        exp: now + 60,
        ...claims,
      };
      return new SignJWT(all).setProtectedHeader({ alg: 'ES256', kid, typ: 'at+jwt' }).sign(key);
    },
  };
}
