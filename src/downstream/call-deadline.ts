import { ToolsiftError } from '../errors.ts';
import type { CallLimits } from './upstream-view.ts';

/** Without a hard limit of its own, progress can extend a call to this many times its time limit. */
const DEFAULT_MAX_FACTOR = 10;

/**
 * The time limit of one call, where the configuration sets one: progress starts it anew, up to a hard maximum.
 */
export class CallDeadline {
  readonly #limitMs: number | undefined;
  readonly #maxMs: number;
  readonly #hardEnd: number;
  readonly #onexpire: (error: ToolsiftError) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: CallLimits, tool: string, onexpire: (error: ToolsiftError) => void) {
    this.#limitMs = limits.toolTimeoutsMs?.get(tool) ?? limits.timeoutMs;
    this.#maxMs = limits.maxTimeoutMs ?? (this.#limitMs ?? 0) * DEFAULT_MAX_FACTOR;
    this.#hardEnd = performance.now() + this.#maxMs;
    this.#onexpire = onexpire;
    this.extend();
  }

  /** The upstream has shown that it is still at work. */
  extend(): void {
    const limitMs = this.#limitMs;
    if (limitMs === undefined) return;
    clearTimeout(this.#timer);
    const remaining = Math.max(0, this.#hardEnd - performance.now());
    const error =
      remaining < limitMs ? expired(this.#maxMs, 'maxTimeoutSeconds') : expired(limitMs, 'timeoutSeconds');
    this.#timer = setTimeout(() => this.#onexpire(error), Math.min(limitMs, remaining));
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}

function expired(limitMs: number, key: string): ToolsiftError {
  return new ToolsiftError(
    'call_timeout',
    `gave no answer within the limit of ${limitMs / 1000} s ("${key}"); the call was cancelled there`,
  );
}
