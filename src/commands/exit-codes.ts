/**
 * How toolsift ends: 0 done, 1 failed, 2 the command line or the configuration cannot be used, 128 + n by signal n.
 * Commands return one of these; what they throw is turned into one by `exitCodeOf`.
 */
export const DONE = 0;
export const FAILED = 1;
export const UNUSABLE = 2;

/** Signals that ask a process to leave. */
export const SIGNAL_CODES: ReadonlyMap<NodeJS.Signals, number> = new Map([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
]);

const UNUSABLE_CODES: ReadonlySet<unknown> = new Set([
  'usage',
  'unknown_server',
  'config_not_found',
  'config_invalid',
]);

export function exitCodeOf(error: unknown): number {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return isOurs(error) && UNUSABLE_CODES.has(code) ? UNUSABLE : FAILED;
}

/** Whether an error says all there is to say; others are bugs, whose stack is worth showing. */
export function isOurs(error: unknown): boolean {
  return error instanceof Error && error.name === 'ToolsiftError';
}
