/**
 * What went wrong, as a value. The code is set where the error is born; nobody matches on message text.
 *
 * - `usage`: a command line that cannot be read
 * - `config_not_found`: no configuration file where it was looked for
 * - `config_invalid`: the file as a whole cannot be used
 * - `server_config_invalid`: one server's entry cannot be used (unset variable, missing command, bad cwd)
 * - `upstream_start_failed`: the process or the HTTP session could not be started
 * - `upstream_handshake_timeout`: no answer to `initialize` in time
 * - `upstream_exited`: the connection ended, before or during a call
 * - `upstream_gave_up`: too many failures in a row; waits for the next call or a config change
 * - `upstream_needs_login`: the server refuses us until somebody logs in
 * - `upstream_unavailable`: disabled, stopped, or not supported here
 * - `upstream_invalid_message`: the server answered a request with something that is not JSON-RPC
 * - `upstream_lists_too_large`: what the server lists exceeds its budget
 * - `message_too_large`: a message exceeds the configured limit
 * - `call_timeout`: the configured time limit of a call passed
 * - `unknown_server`, `unknown_tool`, `invalid_arguments`: what was asked for does not exist or cannot be read
 * - `auth_unavailable`: who may come in cannot be told now, as the issuer of access tokens is away
 * - `tool_failed`: a tool called from the command line reported an error
 */
export type ErrorCode =
  | 'usage'
  | 'config_not_found'
  | 'config_invalid'
  | 'server_config_invalid'
  | 'upstream_start_failed'
  | 'upstream_handshake_timeout'
  | 'upstream_exited'
  | 'upstream_gave_up'
  | 'upstream_needs_login'
  | 'upstream_unavailable'
  | 'upstream_invalid_message'
  | 'upstream_lists_too_large'
  | 'message_too_large'
  | 'call_timeout'
  | 'unknown_server'
  | 'unknown_tool'
  | 'invalid_arguments'
  | 'auth_unavailable'
  | 'tool_failed';

/** Facts about a failure, for code that decides on them. Never holds env values, headers or tokens. */
export interface ErrorFacts {
  readonly server?: string;
  readonly tool?: string;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly httpStatus?: number;
  /** Code of a JSON-RPC error the upstream answered with. */
  readonly rpcCode?: number;
  /** Earliest useful next attempt, when the other side named one (HTTP `Retry-After`). */
  readonly retryAfterMs?: number;
}

export class ToolsiftError extends Error {
  readonly code: ErrorCode;
  readonly facts: ErrorFacts;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; facts?: ErrorFacts } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ToolsiftError';
    this.code = code;
    this.facts = options.facts ?? {};
  }
}

/** The end of a connection as an error, where nothing more is known than what the link said. */
export function asExit(reason: Error): ToolsiftError {
  if (reason instanceof ToolsiftError) return reason;
  return new ToolsiftError('upstream_exited', `the connection ended: ${reason.message}`, { cause: reason });
}

/** The other side leaves what it is sent where it is, so it is sent no more. */
export function notTaken(waitingBytes: number): ToolsiftError {
  return new ToolsiftError(
    'upstream_unavailable',
    `does not read what it is sent: ${waitingBytes} bytes wait for it`,
  );
}

/** A message that was dropped for its length. */
export function tooLarge(bytes: number, limit: number): ToolsiftError {
  return new ToolsiftError(
    'message_too_large',
    `the message has ${bytes} bytes, more than the limit of ${limit}; raise "maxMessageBytes" or ask for less`,
  );
}

/** The text of anything thrown, as it stands. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The same on one line. */
export function errorText(error: unknown): string {
  return messageOf(error).replace(/\s+/g, ' ').trim();
}
