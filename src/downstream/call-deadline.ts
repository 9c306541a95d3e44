import { ToolsiftError } from '../errors.ts';
import type { CallLimits } from './upstream-view.ts';

/** Timers hold 31 bits; a longer limit is none in practice. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The time limit of one call, where the configuration sets one: progress starts it anew, up to a hard maximum.
 */
export class CallDeadline {
  readonly #limitMs: number;
  readonly #key: string;
  readonly #maxMs: number;
  readonly #hardEnd: number;
  readonly #onexpire: (error: ToolsiftError) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: CallLimits, tool: string, onexpire: (error: ToolsiftError) => void) {
    const ofTool = limits.toolTimeoutsMs?.get(tool);
    this.#limitMs = ofTool ?? limits.timeoutMs ?? Number.POSITIVE_INFINITY;
    this.#key = ofTool === undefined ? 'timeoutSeconds' : 'toolTimeouts';
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
    const error = isHard ? expired(this.#maxMs, 'maxTimeoutSeconds') : expired(this.#limitMs, this.#key);
    this.#timer = setTimeout(() => this.#onexpire(error), delay);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}

function expired(limitMs: number, key: string): ToolsiftError {
  const text = `gave no answer within the limit of ${limitMs / 1000} s ("${key}" in its entry); the call was cancelled there`;
  return new ToolsiftError('call_timeout', text);
}
