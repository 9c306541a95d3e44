/** Runs starts side by side up to a limit, in the order they came; a start that fails only frees its place. */
export class StartQueue {
  readonly #limit: number;
  readonly #waiting: (() => Promise<unknown>)[] = [];
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(start: () => Promise<unknown>): void {
    this.#waiting.push(start);
    this.#next();
  }

  /** Forgets what has not begun. */
  clear(): void {
    this.#waiting.length = 0;
  }

  #next(): void {
    if (this.#running >= this.#limit) return;
    const start = this.#waiting.shift();
    if (start === undefined) return;
    this.#running++;
    void start()
      .catch(() => {
        // What went wrong is in the upstream's status and in the log.
      })
      .finally(() => {
        this.#running--;
        this.#next();
      });
  }
}
