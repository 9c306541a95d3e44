import { killGroup } from './stop-process.ts';

/**
 * The process groups that are running, so that none outlives us when there is no time for an orderly stop: an
 * uncaught error, or `process.exit` in the middle of a shutdown.
 */
export class LiveGroups {
  readonly #pids = new Set<number>();
  readonly #killAll = () => {
    for (const pid of this.#pids) killGroup(pid);
  };

  add(pid: number): void {
    if (this.#pids.size === 0) process.on('exit', this.#killAll);
    this.#pids.add(pid);
  }

  delete(pid: number): void {
    this.#pids.delete(pid);
    if (this.#pids.size === 0) process.off('exit', this.#killAll);
  }
}
