import type { CacheName } from '../catalog/cache-file-name.ts';
import { keyOf } from '../catalog/cache-key.ts';
import type { Catalog, UpstreamSnapshot } from '../catalog/catalog.ts';
import type { CatalogCache } from '../catalog/catalog-cache.ts';
import type { ServerConfig } from '../config/config.ts';
import { identityOf } from '../config/server-identity.ts';
import { declaredIn } from './declared.ts';

export interface WarmStartOptions {
  readonly cache: CatalogCache;
  /** Keeps what was configured from being guessed off the names of cache files. */
  readonly secret: Uint8Array;
}

/** What is known of a server from an earlier run. */
export interface Known {
  readonly readAt: number;
  readonly isExact: boolean;
}

/** Brings catalogs back as earlier runs left them, and keeps them for the next. */
export class WarmStart {
  readonly #options: WarmStartOptions;

  constructor(options: WarmStartOptions) {
    this.#options = options;
  }

  /** Fills a catalog with what is kept of these servers, for a client with these `initialize` params. */
  load(catalog: Catalog, servers: Iterable<ServerConfig>, initializeParams: string): Map<string, Known> {
    const { cache } = this.#options;
    const names = [...servers].filter(isRunnable).map((config) => this.#nameOf(config, initializeParams));
    const found = cache.load(names);
    for (const [server, { snapshot }] of found) catalog.replaceUpstream(server, snapshot);
    return new Map([...found].map(([server, { readAt, isExact }]) => [server, { readAt, isExact }]));
  }

  /** What these servers declared when they were last seen; costs little, as no file is read. */
  capabilities(servers: Iterable<ServerConfig>, initializeParams: string): Map<string, ReadonlySet<string>> {
    const names = [...servers].filter(isRunnable).map((config) => this.#nameOf(config, initializeParams));
    return this.#options.cache.capabilities(names);
  }

  /** Keeps what a server has said to a client with these `initialize` params. */
  keep(config: ServerConfig, snapshot: UpstreamSnapshot, initializeParams: string, readAt: number): void {
    const { cache } = this.#options;
    cache.save(this.#nameOf(config, initializeParams), { snapshot, readAt, initializeParams });
  }

  /** The `initialize` params of the clients a server's lists are kept for. */
  clientsOf(config: ServerConfig): string[] {
    return this.#options.cache.clientsOf(this.#nameOf(config, '{}'));
  }

  /** A key for what runs alike: the same server in the same folder, for a client that declares the same. */
  shareKey(config: ServerConfig, initializeParams: string): string {
    const run = config.kind === 'stdio' ? { ...identityOf(config), place: config.cwd } : identityOf(config);
    return keyOf(this.#options.secret, { run, client: declaredIn(initializeParams) });
  }

  #nameOf(config: ServerConfig, initializeParams: string): CacheName {
    const { secret } = this.#options;
    return {
      server: config.name,
      configKey: keyOf(secret, identityOf(config)),
      clientKey: keyOf(secret, declaredIn(initializeParams)),
    };
  }
}

function isRunnable({ kind }: ServerConfig): boolean {
  return kind === 'stdio' || kind === 'http';
}
