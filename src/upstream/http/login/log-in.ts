import {
  auth,
  discoverOAuthServerInfo,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { LoginSettings } from '../../../config/config.ts';
import { messageOf, ToolsiftError } from '../../../errors.ts';
import { HttpAgents } from '../agents.ts';
import type { HttpTarget } from '../target.ts';
import { askForChallenge } from './ask-for-challenge.ts';
import { BrowserProvider } from './browser-provider.ts';
import { codeIn, isSameIssuer } from './check-answer.ts';
import { withLock } from './login-lock.ts';
import { addressOf, type LoginStore } from './login-store.ts';
import { oauthFetch } from './oauth-fetch.ts';
import { type Answer, RedirectListener } from './redirect-listener.ts';
import { withTokens } from './refresh-login.ts';
import { type StoredLogin, unionOfScopes } from './stored-login.ts';

export interface LoginOptions {
  readonly target: HttpTarget;
  readonly store: LoginStore;
  readonly settings: LoginSettings;
  /** Scopes to ask for beside those that the server names. */
  readonly scope: string | undefined;
  /** Where the person has to go. */
  readonly onaddress: (address: URL) => void;
  /** Hands over what somebody pasted: the address that the browser was sent back to. */
  readonly onpaste: (take: (text: string) => boolean) => void;
  readonly signal: AbortSignal;
}

/**
 * Logs a person in to a server, in a browser: finds the authorization server, makes us known to it, waits for the
 * person to agree, and keeps what comes of it.
 *
 * @throws ToolsiftError that says why there is no login
 */
export async function logIn(options: LoginOptions): Promise<StoredLogin> {
  const agents = new HttpAgents();
  try {
    return await logInThrough(agents, options);
  } catch (error) {
    if (error instanceof ToolsiftError) throw error;
    throw new ToolsiftError('upstream_needs_login', `no login: ${options.target.quote(messageOf(error))}`, {
      cause: error,
    });
  } finally {
    agents.destroy();
  }
}

async function logInThrough(agents: HttpAgents, options: LoginOptions): Promise<StoredLogin> {
  const { target, store, settings, signal } = options;
  const { url } = target;
  const known = store.find(url);
  const challenge = await askForChallenge(target, agents, signal);
  const fetchFn = oauthFetch(agents);
  const discovery = await discover(url, challenge.resourceMetadataUrl, fetchFn);
  const issuer = discovery.authorizationServerUrl;
  const isKnown = known !== undefined && isSameIssuer(known.issuer, issuer);
  const scope = scopeFor(discovery, [
    settings.scope,
    options.scope,
    challenge.scope,
    ...(isKnown ? [known.wantedScope, known.tokens?.scope] : []),
  ]);
  const answer = new Waiting<Answer>(signal);
  let provider: BrowserProvider | undefined;
  const take = (params: Answer) => {
    const isOurs = provider !== undefined && params.get('state') === provider.state();
    if (isOurs) answer.resolve(params);
    return isOurs;
  };
  const client = isKnown ? known.client : undefined;
  const listener = await RedirectListener.open(portOf(client), take);
  try {
    const { redirectUrl } = listener;
    provider = new BrowserProvider({
      ...options,
      redirectUrl,
      scope,
      discovery,
      client: isRegisteredFor(client, redirectUrl, scope) ? client : undefined,
    });
    const common = { serverUrl: url, fetchFn, ...(scope === undefined ? {} : { scope }) };
    await auth(provider, common);
    options.onpaste((text) => URL.canParse(text.trim()) && take(new URL(text.trim()).searchParams));
    const authorizationCode = codeIn(await answer.promise, issuer, discovery.authorizationServerMetadata);
    await auth(provider, { ...common, authorizationCode });
  } finally {
    listener.close();
  }
  const tokens = provider.obtained;
  if (tokens === undefined) throw new Error('the authorization server gave no tokens');
  const login = withTokens({ server: addressOf(url), issuer, client: provider.client, discovery }, tokens);
  await withLock(store.fileOf(url), async () => store.write(login));
  return login;
}

/** Where to log in; what stands there must be of the one who is asked (RFC 8414). */
async function discover(
  serverUrl: URL,
  resourceMetadataUrl: URL | undefined,
  fetchFn: ReturnType<typeof oauthFetch>,
): Promise<OAuthDiscoveryState> {
  const found = await discoverOAuthServerInfo(serverUrl, {
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    fetchFn,
  });
  const { authorizationServerUrl, authorizationServerMetadata: metadata } = found;
  if (metadata === undefined) {
    throw new Error(`${serverUrl.origin} names no authorization server that says how to log in`);
  }
  if (!isSameIssuer(metadata.issuer, authorizationServerUrl)) {
    throw new Error(`${authorizationServerUrl} says that it is ${metadata.issuer}`);
  }
  return { ...found, authorizationServerUrl: String(authorizationServerUrl) };
}

/** What to ask for; without a word of anybody all that the server knows, and in any case to be remembered. */
function scopeFor(
  { resourceMetadata, authorizationServerMetadata }: OAuthDiscoveryState,
  asked: readonly (string | undefined)[],
): string | undefined {
  const wanted = unionOfScopes(...asked) ?? resourceMetadata?.scopes_supported?.join(' ');
  const isOffered = authorizationServerMetadata?.scopes_supported?.includes('offline_access') ?? false;
  return unionOfScopes(wanted, isOffered ? 'offline_access' : undefined);
}

/** Whether an authorization server lets a client be sent back there, and ask for so much. */
function isRegisteredFor(
  client: OAuthClientInformationMixed | undefined,
  redirectUrl: string,
  scope: string | undefined,
): boolean {
  if (client === undefined || !('redirect_uris' in client)) return false;
  const isAllowed =
    client.scope === undefined || unionOfScopes(client.scope, scope) === unionOfScopes(client.scope);
  return client.redirect_uris.includes(redirectUrl) && isAllowed;
}

/** The port that an earlier login was registered with. */
function portOf(client: OAuthClientInformationMixed | undefined): number | undefined {
  const [uri] = client !== undefined && 'redirect_uris' in client ? client.redirect_uris : [];
  return uri !== undefined && URL.canParse(uri) ? Number(new URL(uri).port) : undefined;
}

/** A value that somebody else brings, unless `signal` comes first. */
class Waiting<Value> {
  resolve: (value: Value) => void = () => {};
  readonly promise: Promise<Value>;

  constructor(signal: AbortSignal) {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    // Whoever waits is told; before that nobody may be waiting yet.
    this.promise.catch(() => {});
  }
}
