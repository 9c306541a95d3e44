import { expect, it } from 'vitest';
import { connect, failureOf } from '../../../fixtures/http/remote.ts';
import { authorizationServer, guardedServer } from '../../../fixtures/oauth/guarded-server.ts';
import { loginStore } from '../../../fixtures/oauth/person.ts';

const CLIENT = {
  client_id: 'machine',
  client_secret: 'machine-secret-1',
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
};

async function machine(secret = CLIENT.client_secret) {
  const authorization = await authorizationServer({ clients: [CLIENT] });
  const server = await guardedServer(authorization, {
    scopeFor: (message) => (message?.method === 'tools/call' ? 'write' : undefined),
  });
  const { issuer } = authorization;
  const login = {
    grant: 'client_credentials',
    clientId: 'machine',
    clientSecret: secret,
    issuer,
    scope: 'read',
  } as const;
  return { authorization, server, login, store: loginStore() };
}

it('a machine logs in by itself, and again when its token is refused', async () => {
  const { authorization, server, login, store } = await machine();
  const remote = await connect(server.url, { logins: store, login });
  expect(authorization.tokenRequests).toMatchObject([
    { grant_type: 'client_credentials', resource: server.url, scope: 'read' },
  ]);
  const known = store.find(new URL(server.url));
  expect(JSON.stringify(known)).not.toContain(CLIENT.client_secret);
  if (known?.tokens === undefined) throw new Error('nothing was kept');
  store.write({ ...known, tokens: { ...known.tokens, access_token: 'of-no-more-use' } });
  await remote.connection.peer.request('ping');
  expect(authorization.tokenRequests).toHaveLength(2);
});

it('a machine asks for a wider scope by itself where a call needs it', async () => {
  const { authorization, server, login, store } = await machine();
  const remote = await connect(server.url, { logins: store, login });
  expect(await remote.call({ n: 1 })).toContain('did 1');
  expect(authorization.tokenRequests.at(-1)?.scope).toContain('write');
  expect(server.count('initialize')).toBe(1);
});

it('a machine that is not known is told so, and its secret is not', async () => {
  const { server, login, store } = await machine('another-secret-2');
  const failure = await failureOf(connect(server.url, { logins: store, login }));
  expect(failure.message).toMatch(/no token was to be had with "login.clientId"/);
  expect(failure.message).not.toContain('another-secret-2');
});

it('credentials are shown to no authorization server but their own', async () => {
  const { authorization, server, login, store } = await machine();
  const failure = await failureOf(
    connect(server.url, { logins: store, login: { ...login, issuer: 'https://id.example' } }),
  );
  expect(failure.message).toContain('https://id.example');
  expect(authorization.tokenRequests).toEqual([]);
});
