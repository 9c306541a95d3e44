import type { OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';

/** What is kept of a login to one server. */
export interface StoredLogin {
  /** Address of the server, without user info and fragment. */
  readonly server: string;
  /** The authorization server that all of this is for; nothing of it is shown to another one. */
  readonly issuer: string;
  /** How that server knows us. */
  readonly client?: OAuthClientInformationMixed | undefined;
  /** Where its endpoints are, and what is being protected. */
  readonly discovery?: OAuthDiscoveryState | undefined;
  readonly tokens?: OAuthTokens | undefined;
  /** When the access token is of no more use, in milliseconds since 1970; unknown where the server did not say. */
  readonly expiresAt?: number | undefined;
  /** What a server has asked for beyond what was granted; the next login asks for it. */
  readonly wantedScope?: string | undefined;
}

/** The login in a file's text; undefined for anything else. */
export function parseLogin(text: string, server: string): StoredLogin | undefined {
  try {
    const login: unknown = JSON.parse(text);
    return isLogin(login) && login.server === server ? login : undefined;
  } catch {
    // Half written, or not ours.
    return undefined;
  }
}

function isLogin(value: unknown): value is StoredLogin {
  if (typeof value !== 'object' || value === null) return false;
  const { server, issuer, tokens, client } = value as Record<string, unknown>;
  return (
    typeof server === 'string' &&
    typeof issuer === 'string' &&
    (tokens === undefined || hasText(tokens, 'access_token')) &&
    (client === undefined || hasText(client, 'client_id'))
  );
}

function hasText(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, key) === 'string';
}

/** All scopes of these lists, each once. */
export function unionOfScopes(...lists: readonly (string | undefined)[]): string | undefined {
  const scopes = new Set(lists.flatMap((list) => list?.split(' ') ?? []).filter((scope) => scope !== ''));
  return scopes.size === 0 ? undefined : [...scopes].join(' ');
}
