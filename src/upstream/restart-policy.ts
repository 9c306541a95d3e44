/** When to start a failed upstream again, and when to stop trying (OTP's intensity and period). */
export interface RestartPolicy {
  /** Failures within `periodMs` that are met with a restart; one more and we give up. */
  readonly intensity: number;
  readonly periodMs: number;
  /** Pause before the first restart; doubled for each further failure in the period. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** An upstream that was up this long has recovered: its earlier failures are forgotten. */
  readonly stableMs: number;
}

export const DEFAULT_RESTART_POLICY: RestartPolicy = {
  intensity: 5,
  periodMs: 5 * 60_000,
  firstDelayMs: 500,
  maxDelayMs: 30_000,
  stableMs: 60_000,
};

export type RestartDecision =
  | { readonly kind: 'restart'; readonly delayMs: number }
  | { readonly kind: 'give-up'; readonly failures: number };

/**
 * Decides from the times of the failures so far, the latest included. Pauses are jittered by a fifth, so that
 * many sessions do not knock at one service together.
 *
 * @param random a number in [0, 1)
 */
export function decideRestart(
  failureTimes: readonly number[],
  now: number,
  policy: RestartPolicy,
  random: number,
): RestartDecision {
  const failures = failureTimes.filter((time) => now - time < policy.periodMs).length;
  if (failures > policy.intensity) return { kind: 'give-up', failures };
  const delayMs = Math.min(policy.maxDelayMs, policy.firstDelayMs * 2 ** Math.max(0, failures - 1));
  return { kind: 'restart', delayMs: Math.round(delayMs * (0.8 + 0.4 * random)) };
}
