import type { Clock } from '../../src/upstream/clock.ts';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** Time that passes only when the test says so. */
export class FakeClock implements Clock {
  #now = 1_000_000;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** The middle of the range: no jitter. */
  random(): number {
    return 0.5;
  }

  get timers(): number {
    return this.#timers.size;
  }

  /** Lets time pass, timer by timer, and what each of them leads to. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = next.at;
      next.callback();
      await settled();
    }
    this.#now = end;
    await settled();
  }
}

/** Resolves when every promise that can move on has done so. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
