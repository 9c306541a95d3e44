import type { AuthorizationServerMetadata } from '@modelcontextprotocol/sdk/shared/auth.js';
import { ToolsiftError } from '../../../errors.ts';

/**
 * The code an authorization server has sent back.
 *
 * @throws ToolsiftError where it has refused, or where the answer is another server's (RFC 9207)
 */
export function codeIn(
  answer: URLSearchParams,
  issuer: string,
  metadata: AuthorizationServerMetadata | undefined,
): string {
  const iss = answer.get('iss');
  const mustName = Reflect.get(metadata ?? {}, 'authorization_response_iss_parameter_supported') === true;
  if (iss === null ? mustName : !isSameIssuer(iss, metadata?.issuer ?? issuer)) {
    throw refusal('the answer does not come from the authorization server that was asked');
  }
  const error = answer.get('error');
  if (error !== null) {
    const description = answer.get('error_description');
    throw refusal(
      `the authorization server said ${description === null ? error : `${error} (${description})`}`,
    );
  }
  const code = answer.get('code');
  if (code === null) throw refusal('the answer of the authorization server has no code');
  return code;
}

/** Whether two texts name the same authorization server; a slash at the end makes no difference. */
export function isSameIssuer(a: string, b: string): boolean {
  const withoutSlash = (text: string) => (URL.canParse(text) ? new URL(text).href : text).replace(/\/$/, '');
  return withoutSlash(a) === withoutSlash(b);
}

function refusal(text: string): ToolsiftError {
  return new ToolsiftError('upstream_needs_login', text);
}
