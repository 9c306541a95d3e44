import { type ErrorCode, type ErrorFacts, messageOf, ToolsiftError } from '../../errors.ts';
import { type Frame, type ResponseFrame, readFrames, valueAt } from '../../jsonrpc/frame.ts';
import type { HttpResponse } from './http-request.ts';
import { type Challenge, readChallenge, wantsMoreScope } from './login/challenge.ts';
import { redirectOf } from './redirects.ts';
import { type HttpTarget, shown } from './target.ts';

const MAX_RETRY_AFTER_MS = 60 * 60_000;
const TLS_FAULT = /CERT|SELF_SIGNED|UNABLE_TO|TLS|SSL/;

/** What the request was for: a failure to connect is one of the server, a failed call is one of the call. */
export type Purpose = 'connect' | 'call';

/** A response that is no answer, as an error that says so. */
export function statusFailure(
  purpose: Purpose,
  response: HttpResponse,
  body: Buffer,
  target: HttpTarget,
): ToolsiftError {
  const { status, headers } = response;
  const rpc = rpcErrorIn(body);
  const retryAfterMs = retryAfterOf(headers['retry-after'], Date.now());
  const facts: ErrorFacts = {
    httpStatus: status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(rpc === undefined ? {} : { rpcCode: rpc.code }),
  };
  const said = target.quote(rpc?.message ?? gist(body, headers['content-type'] ?? ''), { isCutAfter: true });
  const answered = `answered HTTP ${status} at ${target.shownUrl}${said === '' ? '' : ` (${said})`}`;
  const code = codeFor(purpose, response);
  return new ToolsiftError(code, `${answered}${adviceFor(code, response, { retryAfterMs, target })}`, {
    facts,
  });
}

/** A request that got no response, or one that broke off. */
export function networkFailure(purpose: Purpose, cause: unknown, target: HttpTarget): ToolsiftError {
  if (cause instanceof ToolsiftError) return cause;
  const root = rootOf(cause);
  const text = target.quote(messageOf(root));
  const hint = TLS_FAULT.test(codeOf(root))
    ? '; for a certificate of your own authority set NODE_EXTRA_CA_CERTS'
    : '';
  return new ToolsiftError(
    purpose === 'connect' ? 'upstream_start_failed' : 'upstream_exited',
    purpose === 'connect'
      ? `could not be reached at ${target.shownUrl}: ${text}${hint}`
      : `the connection to ${target.shownUrl} failed: ${text}${hint}`,
    { cause },
  );
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly frame: ResponseFrame;
}

/** The JSON-RPC error a body holds, if that is what it is. */
export function rpcErrorIn(body: Buffer): RpcError | undefined {
  return readFrames(body).slice(0, 1).map(rpcErrorOf)[0];
}

/** What an answer that is an error says. */
export function rpcErrorOf(frame: Frame): RpcError | undefined {
  if (frame.kind !== 'response' || frame.error === undefined) return undefined;
  const code = valueAt(frame, 'error', 'code');
  const message = valueAt(frame, 'error', 'message');
  if (typeof code !== 'number') return undefined;
  return { code, message: typeof message === 'string' ? message : '', frame };
}

/** `Retry-After` in milliseconds, be it given in seconds or as a date. */
export function retryAfterOf(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\s*\d+\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.min(MAX_RETRY_AFTER_MS, Math.max(0, ms));
}

function codeFor(purpose: Purpose, response: HttpResponse): ErrorCode {
  const { status, headers } = response;
  if (status === 401 || wantsMoreScope(challengeOf(response))) return 'upstream_needs_login';
  if (purpose === 'call') return 'upstream_invalid_message';
  if (status === 403 && headers['www-authenticate'] !== undefined) return 'upstream_needs_login';
  const isPassing = status < 300 || status >= 500 || status === 408 || status === 425 || status === 429;
  return isPassing ? 'upstream_start_failed' : 'server_config_invalid';
}

function adviceFor(
  code: ErrorCode,
  response: HttpResponse,
  { retryAfterMs, target }: { readonly retryAfterMs: number | undefined; readonly target: HttpTarget },
): string {
  const { quote } = target;
  if (code === 'upstream_needs_login') return loginAdvice(response, target);
  const redirect = redirectOf(response);
  if (redirect !== undefined) {
    return `: a redirect to ${quote(shown(redirect))}, which is not followed; if that is right, make it the "url"`;
  }
  const { status, headers } = response;
  if (status < 300)
    return `, which is no MCP answer but ${quote(headers['content-type'] ?? 'untyped content')}`;
  if (retryAfterMs !== undefined) return `; it asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
  return code === 'server_config_invalid' ? '; check "url" and "headers"' : '';
}

function challengeOf({ status, headers }: HttpResponse): Challenge {
  return readChallenge(status, headers['www-authenticate']);
}

function loginAdvice(response: HttpResponse, { name, access, quote }: HttpTarget): string {
  if (access === undefined)
    return '; its entry has no valid credential for it: check the Authorization header';
  const command = `run: toolsift login ${/^[\w.-]+$/.test(name) ? name : JSON.stringify(name)}`;
  const challenge = challengeOf(response);
  if (!wantsMoreScope(challenge)) return `; ${command} (or put a valid Authorization header into its entry)`;
  return `; the login does not reach so far (it asks for ${quote(challenge.scope ?? 'more')}), ${command}`;
}

/** What a page or a text says, for a message of one line. */
function gist(body: Buffer, contentType: string): string {
  const text = body.toString('utf8', 0, 4096);
  if (!contentType.includes('html')) return text;
  return /<title[^>]*>([^<]*)/i.exec(text)?.[1] ?? 'an HTML page';
}

function rootOf(error: unknown): unknown {
  // Several addresses were tried; the first failure tells as much as all.
  return error instanceof AggregateError ? error.errors[0] : error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
