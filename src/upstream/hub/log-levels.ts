/** From the most to the least verbose. */
const LEVELS: readonly string[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** The log levels the sessions asked for; the server is told the most verbose. */
export class LogLevels<Session> {
  readonly #levels = new Map<Session, number>();

  /** @returns the level for the server; undefined when this is none of the protocol's */
  set(session: Session, level: unknown): string | undefined {
    const rank = LEVELS.indexOf(String(level));
    if (rank < 0) return undefined;
    this.#levels.set(session, rank);
    return this.#mostVerbose();
  }

  /** @returns the level for the server when it has changed by that */
  left(session: Session): string | undefined {
    const before = this.#mostVerbose();
    this.#levels.delete(session);
    const now = this.#mostVerbose();
    return now === before ? undefined : now;
  }

  /** Whether a session asked to hear of messages of this level, or never said what it wants to hear of. */
  wants(session: Session, level: unknown): boolean {
    const rank = LEVELS.indexOf(String(level));
    return rank < 0 || rank >= (this.#levels.get(session) ?? 0);
  }

  #mostVerbose(): string | undefined {
    return LEVELS[Math.min(...this.#levels.values())];
  }
}
