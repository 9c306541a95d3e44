import { randomBytes } from 'node:crypto';
import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import type { LoginSettings } from '../../../config/config.ts';

export interface BrowserProviderOptions {
  readonly redirectUrl: string;
  readonly settings: LoginSettings;
  readonly scope: string | undefined;
  readonly discovery: OAuthDiscoveryState;
  /** How the authorization server knows us from an earlier login. */
  readonly client: OAuthClientInformationMixed | undefined;
  /** Where the person has to go. */
  readonly onaddress: (address: URL) => void;
}

/** One login of a person, as the SDK sees it: everything is kept here until the tokens have come. */
export class BrowserProvider implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata & { readonly application_type: 'native' };
  readonly clientMetadataUrl?: string;
  readonly #options: BrowserProviderOptions;
  readonly #state = randomBytes(32).toString('base64url');
  #client: OAuthClientInformationMixed | undefined;
  #verifier = '';
  #tokens: OAuthTokens | undefined;

  constructor(options: BrowserProviderOptions) {
    const { redirectUrl, settings, scope, client } = options;
    this.#options = options;
    this.redirectUrl = redirectUrl;
    this.clientMetadata = {
      client_name: 'toolsift',
      // Only programs on somebody's own machine may be sent back to it without TLS.
      application_type: 'native',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: settings.clientSecret === undefined ? 'none' : 'client_secret_basic',
      scope,
    };
    if (settings.clientMetadataUrl !== undefined) this.clientMetadataUrl = settings.clientMetadataUrl;
    this.#client = configured(settings) ?? client;
  }

  get client(): OAuthClientInformationMixed | undefined {
    return this.#client;
  }

  /** What was obtained, once it was. */
  get obtained(): OAuthTokens | undefined {
    return this.#tokens;
  }

  state(): string {
    return this.#state;
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.#client;
  }

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.#client = client;
  }

  /** Whoever logs in wants new ones. */
  tokens(): undefined {
    return undefined;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.#tokens = tokens;
  }

  discoveryState(): OAuthDiscoveryState {
    return this.#options.discovery;
  }

  redirectToAuthorization(address: URL): void {
    this.#options.onaddress(address);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }
}

function configured({
  clientId,
  clientSecret,
  issuer,
}: LoginSettings): OAuthClientInformationMixed | undefined {
  if (clientId === undefined) return undefined;
  return {
    client_id: clientId,
    ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
    ...(issuer === undefined ? {} : { issuer }),
  };
}
