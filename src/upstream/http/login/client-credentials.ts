import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { LoginSettings } from '../../../config/config.ts';
import type { HttpAgents } from '../agents.ts';
import type { Challenge } from './challenge.ts';
import { addressOf } from './login-store.ts';
import { oauthFetch } from './oauth-fetch.ts';
import { withTokens } from './refresh-login.ts';
import { type StoredLogin, unionOfScopes } from './stored-login.ts';

export interface MachineLogin {
  readonly url: URL;
  readonly settings: LoginSettings;
  /** What was obtained before. */
  readonly login: StoredLogin | undefined;
  readonly challenge: Challenge | undefined;
  readonly agents: HttpAgents;
}

/** Obtains tokens with the credentials that the entry holds: nobody has to be asked. */
export async function obtainForMachine(options: MachineLogin): Promise<StoredLogin> {
  const { url, settings, login, challenge, agents } = options;
  const scope = unionOfScopes(settings.scope, login?.wantedScope, challenge?.scope);
  let obtained: StoredLogin = { server: addressOf(url), issuer: '', wantedScope: login?.wantedScope };
  const provider: OAuthClientProvider = {
    redirectUrl: undefined,
    clientMetadata: { redirect_uris: [], grant_types: ['client_credentials'], scope },
    clientInformation: () => ({
      client_id: settings.clientId ?? '',
      client_secret: settings.clientSecret,
      issuer: settings.issuer,
    }),
    tokens: () => undefined,
    saveTokens: (tokens) => {
      obtained = withTokens({ ...obtained, issuer: tokens.issuer ?? '' }, tokens);
    },
    prepareTokenRequest: (asked) => {
      const wanted = unionOfScopes(scope, asked);
      return new URLSearchParams({ grant_type: 'client_credentials', ...(wanted && { scope: wanted }) });
    },
    redirectToAuthorization: () => refuseBrowser(),
    saveCodeVerifier: () => {},
    codeVerifier: () => refuseBrowser(),
  };
  await auth(provider, {
    serverUrl: url,
    ...(scope === undefined ? {} : { scope }),
    ...(challenge?.resourceMetadataUrl === undefined
      ? {}
      : { resourceMetadataUrl: challenge.resourceMetadataUrl }),
    fetchFn: oauthFetch(agents),
  }).catch((error: unknown) => {
    const text = error instanceof Error ? error.message : String(error);
    throw new Error(`no token was to be had with "login.clientId" of its entry: ${text}`, { cause: error });
  });
  return obtained;
}

function refuseBrowser(): never {
  throw new Error('a program with credentials of its own has no use for a browser');
}
