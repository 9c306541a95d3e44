/** Which sessions want to hear of which resource. The server knows one subscriber per URI. */
export class Subscriptions<Session> {
  readonly #sessions = new Map<string, Set<Session>>();

  add(uri: string, session: Session): void {
    const sessions = this.#sessions.get(uri);
    if (sessions === undefined) this.#sessions.set(uri, new Set([session]));
    else sessions.add(session);
  }

  /** @returns whether somebody else still wants to hear of it */
  remove(uri: string, session: Session): boolean {
    const sessions = this.#sessions.get(uri);
    sessions?.delete(session);
    if (sessions?.size === 0) this.#sessions.delete(uri);
    return sessions !== undefined && sessions.size > 0;
  }

  /** @returns the URIs nobody wants to hear of any more */
  left(session: Session): string[] {
    const uris = [...this.#sessions].filter(([, sessions]) => sessions.has(session)).map(([uri]) => uri);
    return uris.filter((uri) => !this.remove(uri, session));
  }

  /** Subscribers of the resource or, as the protocol allows, of one that it is a part of. */
  subscribersOf(uri: string): Set<Session> {
    const found = [...this.#sessions].filter(([subscribed]) => uri.startsWith(subscribed));
    return new Set(found.flatMap(([, sessions]) => [...sessions]));
  }
}
