/** Servers repeat what follows the last id we name; ids older than this cannot come up again. */
const REMEMBERED = 1000;

/**
 * Ids of events that were handed on, so that a server that repeats too much when a stream is continued is heard
 * once. Within one stream an id says nothing: there are servers that give all events the same.
 */
export class SeenIds {
  #earlier = new Set<string>();
  #current: string[] = [];

  nextStream(): void {
    this.#earlier = new Set([...this.#earlier, ...this.#current].slice(-REMEMBERED));
    this.#current = [];
  }

  /** Whether an earlier stream had this id; from the next stream on this one had. */
  isRepeated(id: string): boolean {
    if (this.#earlier.has(id)) return true;
    this.#current.push(id);
    if (this.#current.length > REMEMBERED) this.#current.shift();
    return false;
  }
}
