import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { logOut } from '../../../../src/upstream/http/login/log-out.ts';
import { LoginStore } from '../../../../src/upstream/http/login/login-store.ts';
import type { StoredLogin } from '../../../../src/upstream/http/login/stored-login.ts';
import { connect, failureOf, serverFor } from '../../../fixtures/http/remote.ts';
import { authorizationServer, guardedServer } from '../../../fixtures/oauth/guarded-server.ts';
import { logInTo, loginStore } from '../../../fixtures/oauth/person.ts';

/** Somebody is logged in to a guarded server. */
async function loggedIn(guard: Parameters<typeof guardedServer>[1] = {}) {
  const authorization = await authorizationServer();
  const server = await guardedServer(authorization, guard);
  const store = loginStore();
  await logInTo(server.url, store, authorization);
  const url = new URL(server.url);
  const login = () => store.find(url);
  const change = (changes: Partial<StoredLogin>) => {
    const now = login();
    if (now !== undefined) store.write({ ...now, ...changes });
  };
  const refreshes = () =>
    authorization.tokenRequests.filter((fields) => fields.grant_type === 'refresh_token');
  return { authorization, server, store, url, login, change, refreshes };
}

/** The access token is taken for one that has ended. */
function spoiled(login: StoredLogin | undefined): Partial<StoredLogin> {
  const { tokens } = login ?? {};
  return tokens === undefined ? {} : { tokens: { ...tokens, access_token: 'of-no-more-use' } };
}

afterEach(() => void vi.restoreAllMocks());

describe('a token that has ended', () => {
  it('is renewed once before it is used, by however many need it', async () => {
    const { server, store, change, login, refreshes } = await loggedIn();
    const remote = await connect(server.url, { logins: store });
    // Another process of this user.
    const other = await connect(server.url, { logins: new LoginStore(store.folder) });
    const before = login()?.tokens;
    change({ expiresAt: Date.now() - 1 });
    const calls = [1, 2, 3, 4].flatMap((n) => [remote.call({ n }), other.call({ n })]);
    expect(await Promise.all(calls)).toHaveLength(8);
    expect(refreshes()).toHaveLength(1);
    expect(login()?.tokens?.access_token).not.toBe(before?.access_token);
    expect(login()?.tokens?.refresh_token).not.toBe(before?.refresh_token);
    expect(refreshes()[0]).toMatchObject({ resource: server.url, refresh_token: before?.refresh_token });
  });

  it('is renewed at once where the process that was renewing it has been killed', async () => {
    const { server, store, url, change, login, refreshes } = await loggedIn();
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(`${store.fileOf(url)}.lock`, JSON.stringify({ pid, host: hostname(), id: 'x' }));
    change(spoiled(login()));
    const remote = await connect(server.url, { logins: store });
    expect(await remote.call({ n: 1 })).toContain('did 1');
    expect(refreshes()).toHaveLength(1);
    expect(existsSync(`${store.fileOf(url)}.lock`)).toBe(false);
  });

  it('is renewed when the server refuses it, at the beginning and in the middle', async () => {
    const { server, store, change, login, refreshes } = await loggedIn();
    change(spoiled(login()));
    const remote = await connect(server.url, { logins: store });
    expect(refreshes()).toHaveLength(1);
    change(spoiled(login()));
    expect(await remote.call({ n: 1 })).toContain('did 1');
    expect(refreshes()).toHaveLength(2);
    expect(server.count('initialize')).toBe(2);
  });

  it.each(['has a trouble of its own', 'cannot be reached', 'answers nonsense'])(
    'is not lost while the authorization server %s, and is renewed after that',
    async (trouble) => {
      const { authorization, server, store, change, login } = await loggedIn();
      const remote = await connect(server.url, { logins: store });
      change(spoiled(login()));
      const kept = login()?.tokens?.refresh_token;
      authorization.fault = (res) => {
        if (trouble === 'cannot be reached') res.destroy();
        else res.writeHead(trouble === 'answers nonsense' ? 200 : 503).end('<html>');
        return true;
      };
      const failure = await failureOf(remote.call());
      expect(failure).toMatchObject({ code: 'upstream_exited' });
      expect(failure.message).toContain('its login could not be renewed');
      expect(failure.message).not.toContain(kept);
      expect((await failureOf(connect(server.url, { logins: store }))).code).toBe('upstream_start_failed');
      expect(remote.closeReason).toBeUndefined();
      expect(login()?.tokens?.refresh_token).toBe(kept);
      authorization.fault = undefined;
      expect(await remote.call({ n: 1 })).toContain('did 1');
    },
  );

  it('that may not be renewed needs a new login, which may be the same client', async () => {
    const { authorization, server, store, change, login } = await loggedIn();
    const remote = await connect(server.url, { logins: store });
    const { tokens } = login() ?? {};
    if (tokens === undefined) throw new Error('nobody is logged in');
    change({ tokens: { ...tokens, access_token: 'of-no-more-use', refresh_token: 'revoked' } });
    const failure = await failureOf(remote.call());
    expect(failure.code).toBe('upstream_needs_login');
    expect(failure.message).toContain('run: toolsift login remote');
    expect(login()?.tokens).toBeUndefined();
    await logInTo(server.url, store, authorization);
    expect(authorization.registrations).toBe(1);
    expect(await (await connect(server.url, { logins: store })).call({ n: 2 })).toContain('did 2');
  });
});

describe('a login', () => {
  it('is used by links that were there before it, without a new session', async () => {
    const authorization = await authorizationServer();
    const server = await guardedServer(authorization, {}, { hasSessions: true });
    const store = loginStore();
    await logInTo(server.url, store, authorization);
    const remote = await connect(server.url, { logins: store });
    await logOut(store, new URL(server.url));
    expect((await failureOf(remote.call())).code).toBe('upstream_needs_login');
    await logInTo(server.url, new LoginStore(store.folder), authorization);
    const again = await connect(server.url, { logins: store });
    expect(await again.call({ n: 3 })).toContain('did 3');
  });

  it('is for one server: another one of the same issuer has its own', async () => {
    const authorization = await authorizationServer();
    const [one, two] = [await guardedServer(authorization), await guardedServer(authorization)];
    const store = loginStore();
    const first = await logInTo(one.url, store, authorization);
    expect((await failureOf(connect(two.url, { logins: store }))).code).toBe('upstream_needs_login');
    expect(two.requests.map(({ headers }) => headers.authorization)).toEqual(
      two.requests.map(() => undefined),
    );
    const second = await logInTo(two.url, store, authorization);
    expect(second.tokens?.access_token).not.toBe(first.tokens?.access_token);
    for (const { url } of [one, two]) {
      expect(await (await connect(url, { logins: store })).call({ n: 1 })).toContain('did 1');
    }
  });

  it('reaches further after a login that asks for what a call was refused for', async () => {
    const { authorization, server, store } = await loggedIn({
      scopeFor: (message) => (message?.method === 'tools/call' ? 'write' : undefined),
    });
    const remote = await connect(server.url, { logins: store });
    const failure = await failureOf(remote.call());
    expect(failure).toMatchObject({ code: 'upstream_needs_login', facts: { httpStatus: 403 } });
    expect(failure.message).toMatch(/does not reach so far .*read write.*run: toolsift login remote/);
    expect(remote.closeReason).toBeUndefined();
    await logInTo(server.url, store, authorization);
    expect(authorization.asked?.scope).toBe('read write offline_access');
    expect(await remote.call({ n: 4 })).toContain('did 4');
  });

  it('never takes the place of a credential that the entry has', async () => {
    const { server, store } = await loggedIn();
    const failure = await failureOf(
      connect(server.url, { logins: store, headers: { Authorization: 'Bearer of-the-entry' } }),
    );
    expect(failure.message).toContain('its entry has no valid credential');
    expect(new Set(server.requests.map(({ headers }) => headers.authorization))).toEqual(
      new Set([undefined, 'Bearer of-the-entry']),
    );
  });

  it('is not shown by a server that repeats it', async () => {
    const { store, url, login } = await loggedIn();
    const echo = await serverFor({
      faults: (req, res) => {
        res.writeHead(400, { 'content-type': 'text/plain' }).end(String(req.headers.authorization));
        return true;
      },
    });
    const known = store.find(url);
    if (known !== undefined) store.write({ ...known, server: echo.url });
    const failure = await failureOf(connect(echo.url, { logins: store, transport: 'http' }));
    expect(failure.message).toContain('Bearer ***');
    expect(failure.message).not.toContain(login()?.tokens?.access_token);
  });

  it('that was damaged is none', async () => {
    const { server, store, url } = await loggedIn();
    for (const text of [
      '',
      '{',
      '[]',
      '{"server":1}',
      JSON.stringify({ server: url.href, issuer: 'x', tokens: 1 }),
    ]) {
      writeFileSync(store.fileOf(url), text);
      expect((await failureOf(connect(server.url, { logins: store }))).code).toBe('upstream_needs_login');
    }
  });

  it('is forgotten and revoked by a logout', async () => {
    const { authorization, store, url, login } = await loggedIn();
    const token = login()?.tokens?.access_token ?? '';
    expect(await authorization.tokenOf(token)).toBeDefined();
    expect(await logOut(store, url)).toBe(true);
    expect(login()).toBeUndefined();
    expect(await authorization.tokenOf(token)).toBeUndefined();
    expect(await logOut(store, url)).toBe(false);
  });
});
