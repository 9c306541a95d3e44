import { readSettings, type SettingKey } from './key.ts';

/** Whose access tokens let callers in. */
export interface OauthSettings {
  readonly issuer?: string;
  readonly jwksUrl?: string;
  /** Whom tokens have to be made for: one of these; our own address where there is none. */
  readonly audience: readonly string[];
  readonly scopes: readonly string[];
  readonly subjectClaim: string;
  readonly clockSkewSeconds: number;
}

/** Who may come in over HTTP. */
export interface AuthSettings {
  /** Tokens by the name of their holder, as written: `${VAR}` is not filled in yet. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly oauth?: OauthSettings;
}

const NO_AUTH: AuthSettings = { tokens: {} };
const DEFAULT_OAUTH_SETTINGS: OauthSettings = {
  audience: [],
  scopes: [],
  subjectClaim: 'sub',
  clockSkewSeconds: 30,
};

export const oauthKeys = {
  issuer: oauthKey({
    rule: (is) => is.webAddress,
    description: 'The authorization server whose access tokens (JWT) let callers in, as it names itself.',
    set: (issuer) => ({ issuer }),
  }),
  jwksUrl: oauthKey({
    rule: (is) => is.webAddress,
    description: 'Where the keys of the issuer are. Default: where its metadata says.',
    set: (jwksUrl) => ({ jwksUrl }),
  }),
  audience: oauthKey({
    rule: (is) => is.textOrTexts,
    description:
      'Whom a token has to be made for, or a list of which one has to fit. Default: our own address.',
    set: (audience) => ({ audience: asList(audience) }),
  }),
  scopes: oauthKey({
    rule: (is) => is.listOf(is.nonEmptyText, 'must be a list of scopes'),
    description: 'Scopes that a token has to have, all of them. Default: [].',
    set: (scopes) => ({ scopes }),
  }),
  subjectClaim: oauthKey({
    rule: (is) => is.nonEmptyText,
    description: 'The claim that says who somebody is. Default: "sub".',
    set: (subjectClaim) => ({ subjectClaim }),
  }),
  clockSkewSeconds: oauthKey({
    rule: (is) => is.number(0, 600, 'must be a number of seconds from 0 to 600'),
    description: 'How far the clock of the issuer may be from ours, in seconds. Default: 30.',
    set: (clockSkewSeconds) => ({ clockSkewSeconds }),
  }),
};

export const authKeys = {
  tokens: authKey({
    rule: (is) => is.mapOf(is.nonEmptyText, `must be an object of tokens, {"name": "\${VAR}"}`),
    description: `Tokens that let callers in, by a name that "access" knows the caller by: {"ci": "\${CI_TOKEN}"}.`,
    set: (tokens) => ({ tokens }),
  }),
  oauth: authKey({
    rule: (is) => is.objectOf(oauthKeys, 'must be an object, {"issuer": …}'),
    description: 'Lets in callers with an access token of this authorization server.',
    set: (written) => ({ oauth: readSettings(oauthKeys, written, DEFAULT_OAUTH_SETTINGS) }),
  }),
};

export function readAuthSettings(written: Readonly<Record<string, unknown>>): AuthSettings {
  return readSettings(authKeys, written, NO_AUTH);
}

function asList(texts: string | readonly string[]): readonly string[] {
  return typeof texts === 'string' ? [texts] : texts;
}

function authKey<T>(key: SettingKey<T, AuthSettings>): SettingKey<T, AuthSettings> {
  return key;
}

function oauthKey<T>(key: SettingKey<T, OauthSettings>): SettingKey<T, OauthSettings> {
  return key;
}
