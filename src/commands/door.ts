import type { AuthSettings, ServeSettings } from '../config/config.ts';
import { expandTokens } from '../config/entry/expand-tokens.ts';
import type { Environment } from '../config/entry/expand-variables.ts';
import { ANYBODY, type Authenticator, anyOf } from '../downstream/http/authenticator.ts';
import { isLoopback } from '../downstream/http/host-rules.ts';
import { ProtectedResource } from '../downstream/http/protected-resource.ts';
import { staticTokens } from '../downstream/http/static-tokens.ts';
import { ToolsiftError } from '../errors.ts';

/** Who may come in, and what those are told who may not. */
export interface Door {
  readonly authenticator: Authenticator;
  readonly resource: ProtectedResource | undefined;
  readonly tellsCallersApart: boolean;
}

export interface DoorOptions {
  readonly auth: AuthSettings | undefined;
  readonly settings: ServeSettings;
  /** Where the variables of tokens are. */
  readonly env: Environment;
}

/** @throws ToolsiftError `config_invalid` where nobody could come in, or everybody from anywhere */
export async function openDoor({ auth, settings, env }: DoorOptions): Promise<Door> {
  if (auth === undefined) {
    if (isLoopback(settings.host)) {
      return { authenticator: ANYBODY, resource: undefined, tellsCallersApart: false };
    }
    throw invalid(`others reach ${settings.host}, so "auth" has to say who may come in; or serve 127.0.0.1`);
  }
  const tokens = expandTokens(auth.tokens, env);
  const oauth = auth.oauth === undefined ? undefined : await openOauth(auth.oauth, settings);
  const authenticators = [
    ...(tokens.size === 0 ? [] : [staticTokens(tokens)]),
    ...(oauth === undefined ? [] : [oauth.authenticator]),
  ];
  const [only] = authenticators;
  if (only === undefined) throw invalid('"auth" lets nobody in; it needs "tokens" or "oauth"');
  const authenticator = authenticators.length === 1 ? only : anyOf(authenticators);
  return { authenticator, resource: oauth?.resource, tellsCallersApart: true };
}

async function openOauth(oauth: NonNullable<AuthSettings['oauth']>, settings: ServeSettings) {
  const { issuer, jwksUrl, audience, scopes } = oauth;
  const { path, publicUrl } = settings;
  if (issuer === undefined) throw invalid('"auth.oauth" needs "issuer", the authorization server');
  const addressees = audience.length > 0 ? audience : ownAddresses(settings);
  if (addressees.length === 0) {
    throw invalid('"auth.oauth" needs "audience", or "serve.publicUrl": whom access tokens are made for');
  }
  const { AccessTokens } = await import('../downstream/http/access-tokens.ts');
  return {
    authenticator: new AccessTokens({ ...oauth, issuer, audience: addressees, keysUrl: jwksUrl }),
    resource: new ProtectedResource({ path, publicUrl, issuer, scopes }),
  };
}

function ownAddresses({ publicUrl, host, port, path }: ServeSettings): readonly string[] {
  if (publicUrl !== undefined) return [publicUrl];
  if (!isLoopback(host) || port === 0) return [];
  return ['127.0.0.1', 'localhost', '[::1]'].map((name) => `http://${name}:${port}${path}`);
}

function invalid(message: string): ToolsiftError {
  return new ToolsiftError('config_invalid', message);
}
