import type { Catalog, CatalogChange } from '../catalog/catalog.ts';
import type { Access } from '../policy/access.ts';
import { restrictSnapshot } from '../policy/restrict-snapshot.ts';
import { IndexedCatalog, type Ranking } from './indexed-catalog.ts';
import type { KindScope } from './kind-scope.ts';

export interface AccessViewOptions {
  readonly access: Access;
  /** What is known without any restriction. */
  readonly source: Catalog;
  readonly search: Ranking;
}

/**
 * What clients of a kind see whose callers may reach the same: a catalog and an index that hold nothing else, so that
 * no search, count, suggestion or correction can tell of what is denied.
 */
export class AccessView {
  readonly tools: IndexedCatalog;
  readonly scopes = new Set<KindScope>();
  readonly #options: AccessViewOptions;

  constructor(options: AccessViewOptions) {
    this.#options = options;
    this.tools = new IndexedCatalog({
      search: options.search,
      onchange: (change) => this.#changed(change),
      warmStart: undefined,
    });
    for (const server of options.source.servers) this.follow(server);
  }

  /** Takes over what has become known of a server. */
  follow(server: string): void {
    const { source, access } = this.#options;
    const snapshot = source.upstream(server)?.snapshot;
    const seen = snapshot === undefined ? undefined : restrictSnapshot(server, snapshot, access);
    if (seen === undefined) this.tools.catalog.removeUpstream(server);
    else this.tools.catalog.replaceUpstream(server, seen);
  }

  #changed(change: CatalogChange): void {
    for (const scope of this.scopes) scope.catalogChanged(change);
  }
}
