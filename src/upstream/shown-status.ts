import { cut } from '../cut.ts';
import { ToolsiftError } from '../errors.ts';
import { MAX_REASON_LENGTH, oneLine } from '../foreign-text.ts';
import type { UpstreamStatus } from './upstream-status.ts';

/** What else is known of an upstream besides the state of its supervisor. */
export interface Beside {
  /** Why its lists could not be read. */
  readonly problem: string | undefined;
  /** What it printed where messages are expected, fit to be shown. */
  readonly printed: string | undefined;
}

/** A status as people and models are told: with all that is known of why, within its budget. */
export function shownStatus(status: UpstreamStatus, { problem, printed }: Beside): UpstreamStatus {
  if (status.state === 'ready' && problem !== undefined) return withReason(status, problem);
  if (status.reason === undefined) return status;
  const isSilent = status.state === 'starting' && printed !== undefined;
  return withReason(status, isSilent ? `${status.reason}; it printed: ${printed}` : status.reason);
}

export function handshakeTimeout(timeoutMs: number, printed: string | undefined): ToolsiftError {
  const said = printed === undefined ? '' : `; it printed: ${printed}`;
  return new ToolsiftError(
    'upstream_handshake_timeout',
    `did not answer initialize within ${timeoutMs / 1000} s${said}; check that its entry starts an MCP server that speaks over stdin and stdout`,
  );
}

function withReason(status: UpstreamStatus, reason: string): UpstreamStatus {
  return { ...status, reason: cut(oneLine(reason), MAX_REASON_LENGTH) };
}
