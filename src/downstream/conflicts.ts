import type { Logger } from '../log.ts';

/** Tells on stderr of servers that claim what is another's: once for each two servers and kind of thing. */
export class Conflicts {
  readonly #log: Logger;
  readonly #reported = new Set<string>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** @param owner whose it is and stays; undefined where nobody else's */
  report(thing: string, owner: string | undefined, claimant: string): void {
    if (owner === undefined) return;
    const key = JSON.stringify([thing, owner, claimant]);
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#log.warn(`server "${claimant}" named ${thing} of server "${owner}"; it stays with "${owner}"`);
  }
}
