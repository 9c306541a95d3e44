/** Lets requests wait, for a bounded while, until something derived from many events has become true. */
export class ChangeSignal {
  readonly #waiting = new Set<() => void>();

  /** Something has changed; conditions are looked at again. */
  notify(): void {
    for (const check of this.#waiting) check();
  }

  /** Resolves when the condition holds, at the latest after `maxMs`. */
  until(holds: () => boolean, maxMs: number): Promise<void> {
    if (holds()) return Promise.resolve();
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.#waiting.delete(check);
        resolve();
      };
      const check = () => {
        if (holds()) finish();
      };
      const timer = setTimeout(finish, maxMs);
      this.#waiting.add(check);
    });
  }
}
