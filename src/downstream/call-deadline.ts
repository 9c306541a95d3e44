import { ToolsiftError } from '../errors.ts';
import type { CallLimits } from './upstream-view.ts';

/** Without a hard limit of its own, progress can extend a call to this many times its time limit. */
const DEFAULT_MAX_FACTOR = 10;

/**
 * The time limit of one call, where the configuration sets one: progress starts it anew, up to a hard maximum.
 */
export class CallDeadline {
  readonly #limitMs: number | undefined;
  readonly #hardEnd: number;
  readonly #onexpire: (error: ToolsiftError) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: CallLimits, tool: string, onexpire: (error: ToolsiftError) => void) {
    this.#limitMs = limits.toolTimeoutsMs?.get(tool) ?? limits.timeoutMs;
    const maxMs = limits.maxTimeoutMs ?? (this.#limitMs ?? 0) * DEFAULT_MAX_FACTOR;
    this.#hardEnd = performance.now() + maxMs;
    this.#onexpire = onexpire;
    this.extend();
  }

  /** The upstream has shown that it is still at work. */
  extend(): void {
    const limitMs = this.#limitMs;
    if (limitMs === undefined) return;
    clearTimeout(this.#timer);
    const remaining = Math.max(0, Math.min(limitMs, this.#hardEnd - performance.now()));
    this.#timer = setTimeout(() => this.#onexpire(expired(limitMs, remaining < limitMs)), remaining);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}

function expired(limitMs: number, isHard: boolean): ToolsiftError {
  const which = isHard
    ? 'the hard limit "maxTimeoutSeconds"'
    : `the time limit of ${limitMs / 1000} s ("timeoutSeconds")`;
  return new ToolsiftError('call_timeout', `gave no answer within ${which}; the call was cancelled there`);
}
