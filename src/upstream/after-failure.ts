import { type ErrorCode, errorText, ToolsiftError } from '../errors.ts';
import { decideRestart, type RestartPolicy } from './restart-policy.ts';
import type { Parked } from './supervisor-state.ts';

/** Failures that trying again does not mend, and the state they park an upstream in. */
const PARKED_AS: ReadonlyMap<ErrorCode, Parked['as']> = new Map([
  ['upstream_needs_login', 'needs_login'],
  ['server_config_invalid', 'failed'],
  ['upstream_lists_too_large', 'failed'],
]);

/** What follows from a failure. */
export type Consequence =
  | { readonly kind: 'parked'; readonly as: Parked['as']; readonly failure: ToolsiftError }
  | { readonly kind: 'backoff'; readonly delayMs: number };

export interface FailureFacts {
  readonly failure: ToolsiftError;
  /** Times of the failures so far; this one is added where it counts. */
  readonly failureTimes: number[];
  readonly now: number;
  readonly policy: RestartPolicy;
  /** A number in [0, 1). */
  readonly random: number;
}

/** Decides whether a failed upstream is started again, when, and as what it waits otherwise. */
export function afterFailure({ failure, failureTimes, now, policy, random }: FailureFacts): Consequence {
  const as = PARKED_AS.get(failure.code);
  if (as !== undefined) return { kind: 'parked', as, failure };
  failureTimes.push(now);
  const decision = decideRestart(failureTimes, now, policy, random);
  if (decision.kind === 'give-up')
    return { kind: 'parked', as: 'failed', failure: gaveUp(failure, decision.failures) };
  return { kind: 'backoff', delayMs: Math.max(decision.delayMs, failure.facts.retryAfterMs ?? 0) };
}

/** A failure to start, whatever was thrown. */
export function startFailure(error: unknown): ToolsiftError {
  if (error instanceof ToolsiftError) return error;
  return new ToolsiftError('upstream_start_failed', `could not be started: ${errorText(error)}`, {
    cause: error,
  });
}

/** The answer to a use that comes right after a failure. */
export function tooSoon(failure: ToolsiftError, waitMs: number): ToolsiftError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const text = `${failure.message}; a call can start it again in ${seconds} s`;
  return new ToolsiftError(failure.code, text, failure);
}

function gaveUp(failure: ToolsiftError, failures: number): ToolsiftError {
  const text = `${failure.message}; gave up after ${failures} failures, the next call tries again`;
  return new ToolsiftError('upstream_gave_up', text, { cause: failure, facts: failure.facts });
}
