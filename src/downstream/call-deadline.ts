import { ToolsiftError } from '../errors.ts';
import type { CallLimits } from './upstream-view.ts';

/** Timers hold 31 bits; a longer limit is none in practice. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The time limit of one call, where the configuration sets one: progress starts it anew, up to a hard maximum.
 */
export class CallDeadline {
  readonly #limitMs: number;
  readonly #maxMs: number;
  readonly #hardEnd: number;
  readonly #onexpire: (error: ToolsiftError) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: CallLimits, tool: string, onexpire: (error: ToolsiftError) => void) {
    this.#limitMs = limits.toolTimeoutsMs?.get(tool) ?? limits.timeoutMs ?? Number.POSITIVE_INFINITY;
    this.#maxMs = limits.maxTimeoutMs ?? Number.POSITIVE_INFINITY;
    this.#hardEnd = performance.now() + this.#maxMs;
    this.#onexpire = onexpire;
    this.extend();
  }

  /** The upstream has shown that it is still at work. */
  extend(): void {
    clearTimeout(this.#timer);
    const remaining = Math.max(0, this.#hardEnd - performance.now());
    const delay = Math.min(this.#limitMs, remaining);
    if (delay > LONGEST_TIMER_MS) return;
    const isHard = remaining < this.#limitMs;
    this.#timer = setTimeout(
      () => this.#onexpire(isHard ? hardEnd(this.#maxMs) : expired(this.#limitMs)),
      delay,
    );
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}

function expired(limitMs: number): ToolsiftError {
  return timeout(`${limitMs / 1000} s ("timeoutSeconds")`);
}

function hardEnd(maxMs: number): ToolsiftError {
  return timeout(`${maxMs / 1000} s ("maxTimeoutSeconds")`);
}

function timeout(limit: string): ToolsiftError {
  return new ToolsiftError(
    'call_timeout',
    `gave no answer within the limit of ${limit}; the call was cancelled there`,
  );
}
