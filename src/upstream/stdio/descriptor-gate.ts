import { closeSync, openSync } from 'node:fs';
import { ToolsiftError } from '../../errors.ts';

/** A process needs three pairs of pipe ends and a channel for its start; the rest is for what toolsift does meanwhile. */
const NEEDED_DESCRIPTORS = 14;
const LOOK_EVERY_MS = 100;
/** Longest wait for others to end, or for a burst of connections to pass. */
const MAX_WAIT_MS = 5000;
/** The process, or the machine, may open no more. */
const NONE_LEFT: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE']);

export interface DescriptorGateOptions {
  /** Whether there are enough descriptors now. */
  readonly hasRoom: () => boolean;
  readonly maxWaitMs?: number;
}

/**
 * Lets processes be started while there are file descriptors for them, one after the other: a start that finds none
 * left does not only fail, it leaves a process library with half a child and what it prints of it.
 */
export class DescriptorGate {
  readonly #hasRoom: () => boolean;
  readonly #maxWaitMs: number;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor({ hasRoom, maxWaitMs = MAX_WAIT_MS }: DescriptorGateOptions = { hasRoom: hasDescriptors }) {
    this.#hasRoom = hasRoom;
    this.#maxWaitMs = maxWaitMs;
  }

  /**
   * Runs a start, in the same turn as it was seen that there is room for it.
   *
   * @param signal ends the wait
   * @throws ToolsiftError `upstream_start_failed` when there is none for too long; the reason of `signal`
   */
  async pass<Result>(start: () => Result, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    if (this.#waiting === 0 && this.#hasRoom()) return start();
    this.#waiting++;
    const turn = this.#last;
    const passed = this.#pass(turn, start, signal);
    this.#last = passed.then(
      () => {},
      () => {},
    );
    return passed.finally(() => this.#waiting--);
  }

  async #pass<Result>(turn: Promise<void>, start: () => Result, signal?: AbortSignal): Promise<Result> {
    const end = performance.now() + this.#maxWaitMs;
    await Promise.race([turn, delay(this.#maxWaitMs)]);
    for (;;) {
      signal?.throwIfAborted();
      if (this.#hasRoom()) return start();
      if (performance.now() >= end) throw noDescriptors();
      await delay(LOOK_EVERY_MS);
    }
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

/** There is no way to ask how many are left but to open some. */
function hasDescriptors(): boolean {
  if (process.platform === 'win32') return true;
  const opened: number[] = [];
  try {
    while (opened.length < NEEDED_DESCRIPTORS) opened.push(openSync('/dev/null', 'r'));
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && NONE_LEFT.has(String(error.code)));
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

function noDescriptors(): ToolsiftError {
  return new ToolsiftError(
    'upstream_start_failed',
    'could not be started: toolsift may open no more files; raise the limit (ulimit -n), or set "idleStopSeconds" so that unused servers make room',
  );
}
