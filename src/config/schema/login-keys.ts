import { readSettings, type SettingKey } from './key.ts';

export const GRANTS = ['authorization_code', 'client_credentials'] as const;

/** What an entry says of the way to log in to its server; everything may be left out. */
export interface LoginSettings {
  /** Who logs in: a person in a browser, or this program with credentials of its own. */
  readonly grant?: (typeof GRANTS)[number];
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Address of a client-id metadata document that speaks of this program. */
  readonly clientMetadataUrl?: string;
  /** The authorization server that the client is known to; its credentials are shown to no other one. */
  readonly issuer?: string;
  /** Scopes to ask for, between blanks. */
  readonly scope?: string;
}

export const loginKeys = {
  grant: loginKey({
    rule: (is) => is.oneOf(GRANTS, `must be one of ${GRANTS.map((grant) => `"${grant}"`).join(', ')}`),
    description:
      'Who logs in: "authorization_code" is a person, by "toolsift login"; "client_credentials" is toolsift itself, with "clientId" and "clientSecret". Default: "authorization_code".',
    set: (grant) => ({ grant }),
  }),
  clientId: loginKey({
    rule: (is) => is.nonEmptyText,
    description: 'How the authorization server knows us, where we do not make ourselves known to it.',
    set: (clientId) => ({ clientId }),
  }),
  clientSecret: loginKey({
    rule: (is) => is.nonEmptyText,
    description: 'What proves it; better a variable than its value. Only with "clientId" and "issuer".',
    set: (clientSecret) => ({ clientSecret }),
  }),
  clientMetadataUrl: loginKey({
    rule: (is) => is.webAddress,
    description: 'A client-id metadata document (https://) to be known by, where the server takes such.',
    set: (clientMetadataUrl) => ({ clientMetadataUrl }),
  }),
  issuer: loginKey({
    rule: (is) => is.webAddress,
    description: 'The authorization server that "clientId" is for; it is shown to no other one.',
    set: (issuer) => ({ issuer }),
  }),
  scope: loginKey({
    rule: (is) => is.nonEmptyText,
    description: 'Scopes to ask for beside those the server names, between blanks.',
    set: (scope) => ({ scope }),
  }),
};

/** @param written what the schema has allowed */
export function readLogin(written: Readonly<Record<string, unknown>>): LoginSettings {
  return readSettings<LoginSettings>(loginKeys, written, {});
}

function loginKey<T>(one: SettingKey<T, LoginSettings>): SettingKey<T, LoginSettings> {
  return one;
}
