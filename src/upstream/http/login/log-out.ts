import { HttpAgents } from '../agents.ts';
import { withLock } from './login-lock.ts';
import type { LoginStore } from './login-store.ts';
import { oauthFetch } from './oauth-fetch.ts';
import type { StoredLogin } from './stored-login.ts';

/**
 * Forgets a login, and tells the authorization server that its tokens are of no more use, where it wants to know
 * (RFC 7009).
 *
 * @returns whether there was a login
 */
export async function logOut(store: LoginStore, url: URL): Promise<boolean> {
  return withLock(store.fileOf(url), async () => {
    const login = store.find(url);
    const existed = store.remove(url);
    if (login !== undefined) await revoke(login);
    return existed;
  });
}

async function revoke({ client, discovery, tokens }: StoredLogin): Promise<void> {
  const endpoint: unknown = Reflect.get(discovery?.authorizationServerMetadata ?? {}, 'revocation_endpoint');
  const token = tokens?.refresh_token ?? tokens?.access_token;
  if (typeof endpoint !== 'string' || token === undefined || client === undefined) return;
  const agents = new HttpAgents();
  const { client_id: id, client_secret: secret } = client;
  const basic = secret === undefined ? undefined : Buffer.from(`${id}:${secret}`).toString('base64');
  try {
    await oauthFetch(agents)(endpoint, {
      method: 'POST',
      headers: basic === undefined ? {} : { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ token, ...(basic === undefined ? { client_id: id } : {}) }),
    });
  } catch {
    // It is forgotten here; tokens end by themselves.
  } finally {
    agents.destroy();
  }
}
