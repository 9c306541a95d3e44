import { randomUUID } from 'node:crypto';
import type { Caller } from '../../policy/access.ts';
import { KeepBudget } from './kept-events.ts';
import { ServedLink } from './served-link.ts';

const MEGABYTE = 1024 * 1024;
const MAX_KEPT_BYTES_OF_STREAM = 4 * MEGABYTE;
const MAX_KEPT_BYTES = 64 * MEGABYTE;
const MAX_UNREAD_BYTES = 4 * MEGABYTE;
const SWEEP_MS = 5000;
/** A session may have to go for another when nobody has used it for so long. */
const REPLACEABLE_AFTER_MS = 60_000;

export interface HttpSession {
  readonly id: string;
  readonly caller: Caller;
  readonly link: ServedLink;
  usedAt: number;
}

export interface SessionsOptions {
  readonly maxSessions: number;
  /** Sessions of one caller; none of its own where callers are not told apart. */
  readonly maxSessionsOfCaller: number;
  /** A session that nobody uses ends after so long. */
  readonly idleMs: number;
  /** Begins the conversation on the link of a new session. */
  readonly open: (link: ServedLink, caller: Caller) => void;
  readonly now?: () => number;
}

/** The sessions there are. One is known only to the caller that opened it. */
export class HttpSessions {
  readonly #options: SessionsOptions;
  readonly #byId = new Map<string, HttpSession>();
  readonly #budget = new KeepBudget(MAX_KEPT_BYTES);
  readonly #sweep: NodeJS.Timeout;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#sweep = setInterval(() => this.endIdle(), SWEEP_MS).unref();
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Requests that have no answer yet. */
  get openCalls(): number {
    return [...this.#byId.values()].reduce((sum, { link }) => sum + link.openCalls, 0);
  }

  /** @returns undefined where there are as many as there may be, and none that could go */
  create(caller: Caller): HttpSession | undefined {
    const { maxSessions, maxSessionsOfCaller, open } = this.#options;
    const own = [...this.#byId.values()].filter((session) => session.caller.subject === caller.subject);
    if (own.length >= maxSessionsOfCaller && !this.#replaceOne(own)) return undefined;
    if (this.size >= maxSessions && !this.#replaceOne(this.#byId.values())) return undefined;
    const id = randomUUID();
    const link = new ServedLink({
      maxKeptBytes: MAX_KEPT_BYTES_OF_STREAM,
      maxUnreadBytes: MAX_UNREAD_BYTES,
      budget: this.#budget,
      onclose: () => this.#byId.delete(id),
    });
    const session = { id, caller, link, usedAt: this.#now() };
    this.#byId.set(id, session);
    open(link, caller);
    return session;
  }

  find(id: string, caller: Caller): HttpSession | undefined {
    const session = this.#byId.get(id);
    if (session === undefined || session.caller.subject !== caller.subject) return undefined;
    session.usedAt = this.#now();
    return session;
  }

  /** Ends what nobody uses. */
  endIdle(): void {
    const { idleMs } = this.#options;
    for (const session of this.#byId.values()) {
      if (session.link.isInUse) session.usedAt = this.#now();
      else if (this.#now() - session.usedAt >= idleMs) session.link.end(new Error('nobody used the session'));
    }
  }

  endAll(reason: Error): void {
    for (const { link } of [...this.#byId.values()]) link.end(reason);
  }

  /** Ends every session, for good. */
  close(reason: Error): void {
    clearInterval(this.#sweep);
    this.endAll(reason);
  }

  #replaceOne(sessions: Iterable<HttpSession>): boolean {
    let oldest: HttpSession | undefined;
    for (const session of sessions) {
      if (session.link.isInUse) continue;
      if (oldest === undefined || session.usedAt < oldest.usedAt) oldest = session;
    }
    if (oldest === undefined || this.#now() - oldest.usedAt < REPLACEABLE_AFTER_MS) return false;
    oldest.link.end(new Error('another session took its place'));
    return true;
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
}
