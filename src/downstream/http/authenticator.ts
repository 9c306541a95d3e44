import type { Caller } from '../../policy/access.ts';

/** Why a request is refused, in the terms of RFC 6750. */
export interface AuthRefusal {
  readonly status: 401 | 403 | 503;
  readonly error?: 'invalid_token' | 'insufficient_scope';
  /** What was wrong, without anything of the credentials. */
  readonly description: string;
}

export type AuthResult = { readonly caller: Caller } | { readonly refusal: AuthRefusal };

/** Tells who sent a request by its `Authorization`. */
export interface Authenticator {
  authenticate(authorization: string | undefined): AuthResult | Promise<AuthResult>;
}

/** Whoever reaches us is let in: only for a server that nobody but this machine reaches. */
export const ANYBODY: Authenticator = { authenticate: () => ({ caller: { subject: 'local', claims: {} } }) };

/** The token of a `Bearer` authorization. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1];
}

/** The first authenticator that knows the caller decides; without one, the last refusal stands. */
export function anyOf(authenticators: readonly Authenticator[]): Authenticator {
  return {
    async authenticate(authorization) {
      let result: AuthResult = { refusal: { status: 401, description: 'nobody is let in' } };
      for (const each of authenticators) {
        result = await each.authenticate(authorization);
        if ('caller' in result) return result;
      }
      return result;
    },
  };
}
