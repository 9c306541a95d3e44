import { refreshAuthorization } from '@modelcontextprotocol/sdk/client/auth.js';
import {
  InvalidClientError,
  OAuthError,
  ServerError,
  TemporarilyUnavailableError,
  TooManyRequestsError,
  UnauthorizedClientError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { HttpAgents } from '../agents.ts';
import { oauthFetch } from './oauth-fetch.ts';
import type { StoredLogin } from './stored-login.ts';

/**
 * The login with tokens that are good again; without any where the authorization server refuses to renew them.
 *
 * @throws Error when it could not be asked, or has a trouble of its own: another try may succeed
 */
export async function refreshLogin(login: StoredLogin, agents: HttpAgents): Promise<StoredLogin | undefined> {
  const { issuer, client, discovery, tokens } = login;
  if (tokens?.refresh_token === undefined || client === undefined) return undefined;
  const metadata = discovery?.authorizationServerMetadata;
  const resource = discovery?.resourceMetadata?.resource;
  try {
    const fresh = await refreshAuthorization(issuer, {
      ...(metadata === undefined ? {} : { metadata }),
      ...(resource === undefined ? {} : { resource: new URL(resource) }),
      clientInformation: client,
      refreshToken: tokens.refresh_token,
      fetchFn: oauthFetch(agents),
    });
    return withTokens(login, { scope: tokens.scope, ...fresh, issuer });
  } catch (error) {
    if (!isRefusal(error))
      throw new Error(`its login could not be renewed: ${textOf(error)}`, { cause: error });
    const isUnknown = error instanceof InvalidClientError || error instanceof UnauthorizedClientError;
    return { ...login, tokens: undefined, expiresAt: undefined, ...(isUnknown ? { client: undefined } : {}) };
  }
}

/** The login with these tokens, obtained just now. */
export function withTokens(login: StoredLogin, tokens: OAuthTokens): StoredLogin {
  const { expires_in: seconds } = tokens;
  const expiresAt = seconds === undefined ? undefined : Date.now() + seconds * 1000;
  return { ...login, tokens, expiresAt };
}

/** Whether an authorization server has answered that it will not, rather than that it cannot. */
function isRefusal(error: unknown): error is OAuthError {
  const isTrouble =
    error instanceof ServerError ||
    error instanceof TemporarilyUnavailableError ||
    error instanceof TooManyRequestsError;
  return error instanceof OAuthError && !isTrouble;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
