import { readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { connect, failureOf, serverFor } from '../../../fixtures/http/remote.ts';
import { authorizationServer, guardedServer } from '../../../fixtures/oauth/guarded-server.ts';
import { logInTo, loginStore } from '../../../fixtures/oauth/person.ts';

/** The answer of the authorization server, with something else in it. */
function changed(back: string, change: (parameters: URLSearchParams) => void): string {
  const url = new URL(back);
  change(url.searchParams);
  return url.href;
}

describe('a login', () => {
  it('makes us known, proves who asked, names the server it is for, and lets requests in', async () => {
    const authorization = await authorizationServer();
    const server = await guardedServer(authorization);
    const store = loginStore();
    expect((await failureOf(connect(server.url, { logins: store }))).message).toContain(
      'run: toolsift login remote',
    );
    const login = await logInTo(server.url, store, authorization);
    expect(login).toMatchObject({ server: server.url, issuer: authorization.issuer });
    expect(authorization.registrations).toBe(1);
    expect(authorization.asked).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      resource: server.url,
      scope: 'read offline_access',
    });
    expect(authorization.tokenRequests).toMatchObject([
      {
        grant_type: 'authorization_code',
        resource: server.url,
        code_verifier: expect.stringMatching(/.{43}/),
      },
    ]);
    const remote = await connect(server.url, { logins: store });
    expect(await remote.call({ n: 1 })).toContain('did 1');
  });

  it('is kept where only the user can read it, in one file', async () => {
    const authorization = await authorizationServer();
    const server = await guardedServer(authorization);
    const store = loginStore();
    await logInTo(server.url, store, authorization);
    const files = readdirSync(store.folder);
    expect(files).toHaveLength(1);
    const file = store.fileOf(new URL(server.url));
    if (process.platform !== 'win32') {
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(statSync(store.folder).mode & 0o777).toBe(0o700);
    }
    expect(readFileSync(file, 'utf8')).toContain('access_token');
  });

  it('is known by the same client the next time', async () => {
    const authorization = await authorizationServer();
    const server = await guardedServer(authorization);
    const store = loginStore();
    const first = await logInTo(server.url, store, authorization);
    const second = await logInTo(server.url, store, authorization);
    expect(authorization.registrations).toBe(1);
    expect(second.client?.client_id).toBe(first.client?.client_id);
    expect(second.tokens?.access_token).not.toBe(first.tokens?.access_token);
  });

  it('can be finished by pasting the address that the browser was sent back to', async () => {
    const authorization = await authorizationServer();
    const server = await guardedServer(authorization);
    const store = loginStore();
    let address = '';
    const login = await logInTo(server.url, store, authorization, {
      follow: (url) => {
        address = url.href;
      },
      onpaste: async (take) => {
        expect(take('not an address')).toBe(false);
        expect(take('http://127.0.0.1:1/callback?code=x&state=wrong')).toBe(false);
        expect(take(await authorization.agree(address))).toBe(true);
      },
    });
    expect(login.tokens?.access_token).toEqual(expect.any(String));
  });

  it('is not concerned by answers that nobody has asked for', async () => {
    const authorization = await authorizationServer();
    const server = await guardedServer(authorization);
    const statuses: number[] = [];
    const login = await logInTo(server.url, loginStore(), authorization, {
      follow: async (address) => {
        const back = await authorization.agree(address.href);
        for (const state of ['', 'other']) {
          statuses.push((await fetch(changed(back, (all) => all.set('state', state)))).status);
        }
        statuses.push((await fetch(new URL('/other', back))).status);
        statuses.push((await fetch(back)).status);
      },
    });
    expect(statuses).toEqual([400, 400, 404, 200]);
    expect(login.tokens?.access_token).toEqual(expect.any(String));
  });

  it.each<[string, (all: URLSearchParams) => void, RegExp]>([
    ['comes from another server', (all) => all.set('iss', 'https://evil.test'), /does not come from/],
    [
      'is a refusal',
      (all) => {
        all.delete('code');
        all.set('error', 'access_denied');
        all.set('error_description', 'not today');
      },
      /access_denied \(not today\)/,
    ],
    ['has no code', (all) => all.delete('code'), /no code/],
    ['has a code that is none', (all) => all.set('code', 'x'), /no login/],
  ])('is none when the answer %s', async (_what, change, message) => {
    const authorization = await authorizationServer();
    const server = await guardedServer(authorization);
    const store = loginStore();
    const failure = await failureOf(
      logInTo(server.url, store, authorization, {
        follow: (address) =>
          void authorization.agree(address.href).then((back) => fetch(changed(back, change))),
      }),
    );
    expect(failure.code).toBe('upstream_needs_login');
    expect(failure.message).toMatch(message);
    expect(store.find(new URL(server.url))).toBeUndefined();
  });

  it('is none where the server names an authorization server that says it is another', async () => {
    const authorization = await authorizationServer();
    const lying = await serverFor({
      faults: async (req, res) => {
        if (req.url?.startsWith('/.well-known/oauth-protected-resource')) {
          res.writeHead(200, { 'content-type': 'application/json' });
          res.end(
            JSON.stringify({ resource: lying.url, authorization_servers: [new URL(lying.url).origin] }),
          );
        } else if (req.url?.startsWith('/.well-known/')) {
          const metadata = await fetch(`${authorization.issuer}/.well-known/openid-configuration`);
          res.writeHead(200, { 'content-type': 'application/json' }).end(await metadata.text());
        } else res.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
        return true;
      },
    });
    const failure = await failureOf(logInTo(lying.url, loginStore(), authorization));
    expect(failure.message).toContain(`says that it is ${authorization.issuer}`);
  });

  it('is none where the server says that it is another', async () => {
    const authorization = await authorizationServer();
    const server = await guardedServer(authorization, { resource: 'https://other.test/mcp' });
    const failure = await failureOf(logInTo(server.url, loginStore(), authorization));
    expect(failure.message).toContain('other.test');
    expect(authorization.asked).toBeUndefined();
  });

  it('is none where nobody says how', async () => {
    const authorization = await authorizationServer();
    const server = await serverFor({
      faults: (_req, res) => {
        res.writeHead(404).end();
        return true;
      },
    });
    const failure = await failureOf(logInTo(server.url, loginStore(), authorization));
    expect(failure.message).toMatch(/names no authorization server/);
  });
});
