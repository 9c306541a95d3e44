import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose';
import { ToolsiftError } from '../../errors.ts';
import { type Authenticator, type AuthRefusal, bearerToken } from './authenticator.ts';
import { discoverKeys } from './discover-keys.ts';

/** Signatures that only the issuer can make: nothing that we could make ourselves, and never none. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const KEYS_TIMEOUT_MS = 5000;
/** An issuer that is away is asked again after so long, however many callers come. */
const ASK_AGAIN_MS = 5000;

const NO_TOKEN: AuthRefusal = { status: 401, description: 'an access token is needed' };
const NOT_VALID = { status: 401, error: 'invalid_token' } as const;

export interface AccessTokensOptions {
  readonly issuer: string;
  /** Where the issuer's keys are; by its metadata where absent. */
  readonly keysUrl?: string | undefined;
  /** Whom a token has to be made for: one of these. */
  readonly audience: readonly string[];
  /** Scopes a token has to have. */
  readonly scopes: readonly string[];
  /** The claim that says who somebody is. */
  readonly subjectClaim: string;
  /** How far the issuer's clock may be from ours. */
  readonly clockSkewSeconds: number;
}

type Keys = ReturnType<typeof createRemoteJWKSet>;

/** Lets in whoever has an access token (JWT) that the issuer made for us. */
export class AccessTokens implements Authenticator {
  readonly #options: AccessTokensOptions;
  #keys: Promise<Keys> | undefined;

  constructor(options: AccessTokensOptions) {
    this.#options = options;
  }

  async authenticate(authorization: string | undefined) {
    const token = bearerToken(authorization);
    if (token === undefined) return { refusal: NO_TOKEN };
    const { issuer, audience, clockSkewSeconds, subjectClaim } = this.#options;
    let claims: JWTPayload;
    try {
      const { payload } = await jwtVerify(token, await this.#issuerKeys(), {
        algorithms: ALGORITHMS,
        issuer,
        audience: [...audience],
        clockTolerance: clockSkewSeconds,
        requiredClaims: ['exp', subjectClaim],
      });
      claims = payload;
    } catch (error) {
      return { refusal: refusalOf(error) };
    }
    const subject = claims[subjectClaim];
    if (typeof subject !== 'string' || subject === '') {
      return { refusal: { ...NOT_VALID, description: `the token has no ${subjectClaim}` } };
    }
    return this.#lacksScope(claims) ?? { caller: { subject, claims } };
  }

  #lacksScope({ scope, scp }: JWTPayload): { refusal: AuthRefusal } | undefined {
    const granted = new Set(
      [scope, scp].flatMap((claim) => (Array.isArray(claim) ? claim : String(claim ?? '').split(' '))),
    );
    if (this.#options.scopes.every((needed) => granted.has(needed))) return undefined;
    const description = 'the token lacks a scope';
    return { refusal: { status: 403, error: 'insufficient_scope', description } };
  }

  #issuerKeys(): Promise<Keys> {
    this.#keys ??= this.#findKeys().catch((error: unknown) => {
      setTimeout(() => {
        this.#keys = undefined;
      }, ASK_AGAIN_MS).unref();
      throw error;
    });
    return this.#keys;
  }

  async #findKeys(): Promise<Keys> {
    const { issuer, keysUrl } = this.#options;
    const url = keysUrl ?? (await discoverKeys(issuer, KEYS_TIMEOUT_MS));
    return createRemoteJWKSet(new URL(url), {
      timeoutDuration: KEYS_TIMEOUT_MS,
      [customFetch]: fetchKeys,
    });
  }
}

function refusalOf(error: unknown): AuthRefusal {
  if (error instanceof errors.JWTExpired) return { ...NOT_VALID, description: 'the token has expired' };
  if (error instanceof errors.JWTClaimValidationFailed) {
    return { ...NOT_VALID, description: `the token is not for us: its ${error.claim} does not fit` };
  }
  if (isIssuerAway(error)) return { status: 503, description: 'the keys of the issuer cannot be had now' };
  return { ...NOT_VALID, description: 'the token is not valid' };
}

async function fetchKeys(...args: Parameters<typeof fetch>): Promise<Response> {
  try {
    return await fetch(...args);
  } catch (cause) {
    throw new ToolsiftError('auth_unavailable', 'the keys of the issuer cannot be fetched', { cause });
  }
}

/** Whether nothing can be said of the token, because the keys could not be fetched. */
function isIssuerAway(error: unknown): boolean {
  if (error instanceof ToolsiftError || error instanceof errors.JWKSTimeout) return true;
  // An answer other than 200 or no JSON is reported by the base class itself.
  return error instanceof errors.JOSEError && error.code === errors.JOSEError.code;
}
