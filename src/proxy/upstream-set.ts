import { isDeepStrictEqual } from 'node:util';
import type { ServerConfig } from '../config/config.ts';
import { runOf } from '../config/server-identity.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { planStart } from './start-plan.ts';
import { StartQueue } from './start-queue.ts';
import type { Known } from './warm-start.ts';

export interface UpstreamSetOptions {
  readonly create: (server: ServerConfig) => Upstream;
  /** What earlier runs have left of a server. */
  readonly knownOf: (name: string) => Known | undefined;
  /** The `params` of `initialize` for what starts unasked. */
  readonly initializeParams: string;
}

export interface SetChange {
  /** Servers that are new or run differently now. */
  readonly fresh: readonly Upstream[];
  /** Names of servers that are gone or run differently now. */
  readonly gone: readonly string[];
}

/** Servers started side by side; more would slow each other down. */
export const PARALLEL_STARTS = 8;
/** Background refreshes begin when the first requests of a session have passed. */
const REFRESH_AFTER_MS = 3000;

/** The upstreams of the configuration, in its order: which there are, and when they start unasked. */
export class UpstreamSet {
  readonly #options: UpstreamSetOptions;
  readonly #upstreams = new Map<string, Upstream>();
  readonly #starts = new StartQueue(PARALLEL_STARTS);
  readonly #refreshes = new StartQueue(1);
  /** Upstreams that the configuration no longer has, while they stop. */
  readonly #leaving = new Set<Promise<void>>();

  constructor(options: UpstreamSetOptions) {
    this.#options = options;
  }

  get byName(): ReadonlyMap<string, Upstream> {
    return this.#upstreams;
  }

  /** Takes over a configuration. Servers that run as before notice nothing; those that are gone are stopped. */
  configure(servers: Iterable<ServerConfig>): SetChange {
    const before = new Map(this.#upstreams);
    const fresh: Upstream[] = [];
    this.#upstreams.clear();
    for (const server of servers) {
      const old = before.get(server.name);
      if (old !== undefined && isDeepStrictEqual(runOf(old.config), runOf(server))) {
        before.delete(server.name);
        old.reconfigure(server);
        this.#upstreams.set(server.name, old);
      } else {
        const upstream = this.#options.create(server);
        this.#upstreams.set(server.name, upstream);
        fresh.push(upstream);
      }
    }
    for (const upstream of before.values()) this.#leave(upstream);
    return { fresh, gone: [...before.keys()] };
  }

  /** Starts what starts without being asked: unknown servers and eager ones at once, stale ones a little later. */
  start(upstreams: Iterable<Upstream> = this.#upstreams.values()): void {
    for (const upstream of upstreams) {
      const { name, config, status } = upstream;
      if (status.state !== 'idle') continue;
      const known = this.#options.knownOf(name);
      const plan = planStart(
        { start: config.start, refreshAfterMs: config.refreshAfterMs, known },
        Date.now(),
      );
      const { initializeParams } = this.#options;
      if (plan === 'now') this.#starts.add(async () => upstream.acquire(initializeParams));
      if (plan === 'refresh-later') {
        const refresh = () => upstream.refresh(initializeParams);
        setTimeout(() => this.#refreshes.add(refresh), REFRESH_AFTER_MS).unref();
      }
    }
  }

  /** Stops every upstream and all processes; bounded in time. */
  async stop(): Promise<void> {
    this.#starts.clear();
    this.#refreshes.clear();
    const stopping = [...this.#upstreams.values()].map((upstream) => upstream.stop());
    await Promise.all([...stopping, ...this.#leaving]);
  }

  #leave(upstream: Upstream): void {
    const stopped = upstream.stop().finally(() => this.#leaving.delete(stopped));
    this.#leaving.add(stopped);
  }
}
