/** Whose a thing is that servers mention: the first to mention it. Of very many things the oldest are forgotten. */
export class Owners {
  readonly #limit: number;
  readonly #servers = new Map<string, string>();

  constructor(limit: number, entries: Iterable<readonly [key: string, server: string]> = []) {
    this.#limit = limit;
    for (const [key, server] of entries) this.#servers.set(key, server);
  }

  /** The server of each thing, the oldest first. */
  get entries(): Iterable<readonly [key: string, server: string]> {
    return this.#servers;
  }

  ownerOf(key: string): string | undefined {
    return this.#servers.get(key);
  }

  /**
   * @param isStillThere whether a server may still own things
   * @returns the owner, if that is another server
   */
  claim(key: string, server: string, isStillThere: (owner: string) => boolean): string | undefined {
    const owner = this.#servers.get(key);
    if (owner !== undefined && owner !== server && isStillThere(owner)) return owner;
    this.#servers.delete(key);
    this.#servers.set(key, server);
    const oldest = this.#servers.keys().next();
    if (this.#servers.size > this.#limit && !oldest.done) this.#servers.delete(oldest.value);
    return undefined;
  }
}
