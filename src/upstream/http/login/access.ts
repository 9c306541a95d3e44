import type { LoginSettings } from '../../../config/config.ts';
import { HttpAgents } from '../agents.ts';
import { type Challenge, wantsMoreScope } from './challenge.ts';
import { withLock } from './login-lock.ts';
import type { LoginStore } from './login-store.ts';
import { type StoredLogin, unionOfScopes } from './stored-login.ts';

/** Tokens are renewed so long before they end that they do not end on the way. */
const RENEW_BEFORE_MS = 30_000;

export interface AccessOptions {
  readonly store: LoginStore;
  /** Address of the server. */
  readonly url: URL;
  readonly settings: LoginSettings;
}

/**
 * What a login gives requests to one server: the access token as it is now, whichever process has obtained it, and
 * another one where it has ended or was refused. Only a refusal costs the login; a failure on the way costs nothing.
 */
export class Access {
  readonly #options: AccessOptions;
  #renewal: Promise<boolean> | undefined;

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  /**
   * The value of `Authorization` for the next request; undefined without a login.
   *
   * @throws Error when the token has ended and there was no way to ask for another
   */
  async authorization(): Promise<string | undefined> {
    const login = this.#login;
    const token = login?.tokens?.access_token;
    if (token === undefined) {
      if (!this.#isMachine) return undefined;
      await this.#renew(undefined, undefined);
    } else if (Date.now() > (login?.expiresAt ?? Number.POSITIVE_INFINITY) - RENEW_BEFORE_MS) {
      const isOver = Date.now() > (login?.expiresAt ?? 0);
      await this.#renew(token, undefined).catch((error: unknown) => {
        if (isOver) throw error;
      });
    }
    return bearer(this.#login);
  }

  /**
   * Whether a request that was refused is worth another try with what is known now.
   *
   * @param used the `Authorization` it was sent with
   * @throws Error when there was no way to ask for another token
   */
  async renewAfter(challenge: Challenge, used: string | undefined): Promise<boolean> {
    if (wantsMoreScope(challenge)) return this.#stepUp(challenge.scope);
    if (challenge.status !== 401) return false;
    const current = bearer(this.#login);
    if (current !== used) return current !== undefined;
    return this.#renew(current?.slice('Bearer '.length), challenge);
  }

  /** What must not be shown of it. */
  get secrets(): readonly string[] {
    const { tokens, client } = this.#login ?? {};
    return [tokens?.access_token, tokens?.refresh_token, tokens?.id_token, client?.client_secret].filter(
      (secret) => secret !== undefined,
    );
  }

  get #login(): StoredLogin | undefined {
    return this.#options.store.find(this.#options.url);
  }

  get #isMachine(): boolean {
    return this.#options.settings.grant === 'client_credentials';
  }

  get #isRenewable(): boolean {
    return this.#isMachine || this.#login?.tokens?.refresh_token !== undefined;
  }

  /** A machine asks for more by itself; people have to agree, so their next login asks for it. */
  async #stepUp(scope: string | undefined): Promise<boolean> {
    const login = this.#login;
    if (login === undefined || scope === undefined) return false;
    const wantedScope = unionOfScopes(login.wantedScope, scope);
    if (wantedScope === login.wantedScope) return false;
    this.#options.store.write({ ...login, wantedScope });
    return this.#isMachine && this.#renew(login.tokens?.access_token, undefined);
  }

  /** One at a time, in this process and in all others. */
  #renew(ended: string | undefined, challenge: Challenge | undefined): Promise<boolean> {
    if (!this.#isRenewable) return Promise.resolve(false);
    this.#renewal ??= this.#renewAlone(ended, challenge).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  #renewAlone(ended: string | undefined, challenge: Challenge | undefined): Promise<boolean> {
    const { store, url, settings } = this.#options;
    return withLock(store.fileOf(url), async () => {
      const login = this.#login;
      const current = login?.tokens?.access_token;
      if (current !== undefined && current !== ended) return true;
      if (!this.#isRenewable) return false;
      const agents = new HttpAgents();
      try {
        if (this.#isMachine) {
          const { obtainForMachine } = await import('./client-credentials.ts');
          store.write(await obtainForMachine({ url, settings, login, challenge, agents }));
          return true;
        }
        const { refreshLogin } = await import('./refresh-login.ts');
        const refreshed = login === undefined ? undefined : await refreshLogin(login, agents);
        if (refreshed !== undefined) store.write(refreshed);
        return refreshed?.tokens !== undefined;
      } finally {
        agents.destroy();
      }
    });
  }
}

function bearer(login: StoredLogin | undefined): string | undefined {
  const token = login?.tokens?.access_token;
  return token === undefined ? undefined : `Bearer ${token}`;
}
