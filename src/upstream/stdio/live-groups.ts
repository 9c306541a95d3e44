import type { Family } from './descendants.ts';
import { killFamily } from './stop-process.ts';

/**
 * The process groups that are running, so that none outlives us when there is no time for an orderly stop: an
 * uncaught error, or `process.exit` in the middle of a shutdown.
 */
export class LiveGroups {
  readonly #families = new Map<number, Family>();
  readonly #killAll = () => {
    for (const family of this.#families.values()) killFamily(family);
  };

  /** @param mark stands in the environment of all that comes of it */
  add(pid: number, mark?: string): void {
    if (this.#families.size === 0) process.on('exit', this.#killAll);
    this.#families.set(pid, { pid, mark });
  }

  delete(pid: number): void {
    this.#families.delete(pid);
    if (this.#families.size === 0) process.off('exit', this.#killAll);
  }
}
