/** What an entry says of the way to log in to its server; everything may be left out. */
export interface OAuthSettings {
  /** Who logs in: a person in a browser, or this program with credentials of its own. */
  readonly grant?: 'authorization_code' | 'client_credentials' | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** Address of a client-id metadata document that speaks of this program. */
  readonly clientMetadataUrl?: string | undefined;
  /** The authorization server that the client is known to; its credentials are shown to no other one. */
  readonly issuer?: string | undefined;
  /** Scopes to ask for, between blanks. */
  readonly scope?: string | undefined;
}
