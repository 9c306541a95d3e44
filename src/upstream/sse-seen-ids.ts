/** Servers repeat what follows the last id we name; ids older than this cannot come up again. */
const REMEMBERED = 1000;

/** Ids of events that were handed on, so that a server that repeats too much is heard once. */
export class SeenIds {
  readonly #ids = new Set<string>();

  /** Whether the id was asked for before; from now on it was. */
  has(id: string): boolean {
    if (this.#ids.has(id)) return true;
    this.#ids.add(id);
    if (this.#ids.size > REMEMBERED) this.#ids.delete(this.#ids.values().next().value as string);
    return false;
  }
}
