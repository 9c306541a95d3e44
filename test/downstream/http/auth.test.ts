import { exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { AccessTokens, type AccessTokensOptions } from '../../../src/downstream/http/access-tokens.ts';
import { anyOf } from '../../../src/downstream/http/authenticator.ts';
import { ProtectedResource } from '../../../src/downstream/http/protected-resource.ts';
import { staticTokens } from '../../../src/downstream/http/static-tokens.ts';
import { startIssuer } from './issuer.ts';
import { call, INITIALIZE, openSession, post, serveStub } from './served-stub.ts';

const AUDIENCE = 'https://mcp.example.com/mcp';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function behindIssuer(options: Partial<AccessTokensOptions> = {}) {
  const issuer = await startIssuer();
  const scopes = options.scopes ?? [];
  const tokens = new AccessTokens({
    issuer: issuer.url,
    audience: [AUDIENCE],
    scopes,
    subjectClaim: 'sub',
    clockSkewSeconds: 30,
    ...options,
  });
  const resource = new ProtectedResource({ path: '/mcp', publicUrl: AUDIENCE, issuer: issuer.url, scopes });
  return { issuer, tokens, ...(await serveStub({ authenticator: tokens, resource })) };
}

describe('configured tokens', () => {
  const tokens = staticTokens(
    new Map([
      ['ci', 'token-of-ci'],
      ['bob', 'token-of-bob'],
    ]),
  );

  it('let in who has one, under its name', async () => {
    const { url, callers } = await serveStub({ authenticator: tokens });
    await openSession(url, bearer('token-of-ci'));
    await openSession(url, { authorization: 'bearer token-of-bob' });
    expect(callers.map(({ subject }) => subject)).toEqual(['ci', 'bob']);
  });

  it.each([
    ['no token', {}, /^Bearer$/],
    ['a token nobody has', bearer('token-of-eve'), /^Bearer error="invalid_token"/],
    ['the beginning of a token', bearer('token-of-c'), /^Bearer error="invalid_token"/],
    ['another scheme', { authorization: 'Basic dG9rZW4tb2YtY2k=' }, /^Bearer$/],
  ])('keep out %s', async (_what, headers, challenge) => {
    const { url, callers, lines } = await serveStub({ authenticator: tokens });
    const response = await post(url, INITIALIZE, headers);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(challenge);
    expect(callers).toEqual([]);
    expect(lines.join('') + (await response.text())).not.toMatch(/token-of|dG9r/);
  });

  it('keep a session to the caller that opened it', async () => {
    const { url } = await serveStub({ authenticator: tokens });
    const session = await openSession(url, bearer('token-of-ci'));
    const stolen = { ...session, ...bearer('token-of-bob') };
    expect((await post(url, call(1, 'echo'), stolen)).status).toBe(404);
    expect((await fetch(url, { method: 'DELETE', headers: stolen })).status).toBe(404);
    expect((await post(url, call(1, 'echo'), session)).status).toBe(200);
  });

  it('stand beside access tokens', async () => {
    const { issuer, tokens: accessTokens } = await behindIssuer();
    const { url, callers } = await serveStub({ authenticator: anyOf([tokens, accessTokens]) });
    await openSession(url, bearer('token-of-ci'));
    await openSession(url, bearer(await issuer.token()));
    expect(callers.map(({ subject }) => subject)).toEqual(['ci', 'alice']);
    expect((await post(url, INITIALIZE, bearer('x'))).status).toBe(401);
  });
});

describe('access tokens', () => {
  it('let in who has one of the issuer, made for us, with what it says of them', async () => {
    const { issuer, url, callers } = await behindIssuer();
    await openSession(url, bearer(await issuer.token({ groups: ['a'] })));
    expect(callers).toMatchObject([{ subject: 'alice', claims: { groups: ['a'] } }]);
    await openSession(url, bearer(await issuer.token({ aud: ['other', AUDIENCE] })));
    expect(issuer.asked).toEqual(['/.well-known/oauth-authorization-server', '/keys']);
  });

  const now = Math.floor(Date.now() / 1000);
  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    [
      'another audience',
      { aud: 'https://other.example/mcp' },
      'the token is not for us: its aud does not fit',
    ],
    ['no audience', { aud: undefined }, 'the token is not for us: its aud does not fit'],
    ['another issuer', { iss: 'https://other.example' }, 'the token is not for us: its iss does not fit'],
    ['an end in the past', { exp: now - 120 }, 'the token has expired'],
    ['no end', { exp: undefined }, 'the token is not for us: its exp does not fit'],
    ['a beginning in the future', { nbf: now + 120 }, 'the token is not for us: its nbf does not fit'],
    ['no subject', { sub: undefined }, 'the token is not for us: its sub does not fit'],
  ])('keep out %s', async (_what, claims, description) => {
    const { issuer, url } = await behindIssuer();
    const response = await post(url, INITIALIZE, bearer(await issuer.token(claims)));
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", error_description="${description}", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"`,
    );
  });

  it('may be as far from our clock as is configured', async () => {
    const { issuer, url } = await behindIssuer();
    await openSession(url, bearer(await issuer.token({ exp: now - 10, nbf: now + 10 })));
  });

  it('keep out what another key signed, what nobody signed, and what our own public key signed', async () => {
    const { issuer, url } = await behindIssuer();
    const { privateKey } = await generateKeyPair('ES256');
    const claims = { iss: issuer.url, aud: AUDIENCE, sub: 'alice', exp: now + 60 };
    const publicPem = await exportSPKI(issuer.publicKey);
    const confused = new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(new TextEncoder().encode(publicPem));
    for (const token of [
      await issuer.token({}, { key: privateKey }),
      await issuer.token({}, { key: privateKey, kid: 'other' }),
      new UnsecuredJWT(claims).encode(),
      await confused,
      'a.b.c',
      'x',
    ]) {
      const response = await post(url, INITIALIZE, bearer(token));
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringContaining('error_description="the token is not valid"'),
      ]);
    }
  });

  it('without a scope that is needed are told which one', async () => {
    const { issuer, url } = await behindIssuer({ scopes: ['mcp'] });
    const response = await post(url, INITIALIZE, bearer(await issuer.token({ scope: 'other' })));
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toMatch(
      /^Bearer error="insufficient_scope", .*scope="mcp"/,
    );
    await openSession(url, bearer(await issuer.token({ scope: 'other mcp' })));
  });

  it('cannot be told from false ones while the issuer is away, which is said', async () => {
    const { issuer, url } = await behindIssuer();
    issuer.setAway(true);
    const response = await post(url, INITIALIZE, bearer(await issuer.token()));
    expect(response.status).toBe(503);
    expect(response.headers.get('www-authenticate')).toBeNull();
    const asked = issuer.asked.length;
    await post(url, INITIALIZE, bearer(await issuer.token()));
    expect(issuer.asked.length).toBe(asked);
  });
});

describe('a client that has to log in', () => {
  it('is told where, with and without the path of the address', async () => {
    const { issuer, origin, url } = await behindIssuer({ scopes: ['mcp'] });
    for (const path of ['', '/mcp']) {
      const response = await fetch(`${origin}/.well-known/oauth-protected-resource${path}`);
      expect(await response.json()).toEqual({
        resource: AUDIENCE,
        authorization_servers: [issuer.url],
        scopes_supported: ['mcp'],
        bearer_methods_supported: ['header'],
        resource_name: 'toolsift',
      });
    }
    const refused = await post(url, INITIALIZE);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer scope="mcp", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"',
    );
  });

  it('finds no such thing where nobody has to', async () => {
    const { origin } = await serveStub();
    expect((await fetch(`${origin}/.well-known/oauth-protected-resource`)).status).toBe(404);
  });
});
