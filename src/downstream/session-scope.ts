import type { Catalog, CatalogChange } from '../catalog/catalog.ts';
import type { NotificationFrame } from '../jsonrpc/frame.ts';
import type { IncomingRequest } from '../jsonrpc/incoming-request.ts';
import type { Peer } from '../jsonrpc/peer.ts';
import type { Access, Caller } from '../policy/access.ts';
import type { ToolIndex } from '../search/tool-index.ts';
import type { ConnectionView, UpstreamViews } from './upstream-view.ts';

/** What of the shared parts a session works on: all as clients see it that declare what its own does. */
export interface SessionScope {
  /** Who the client is, where several may come. */
  readonly caller: Caller | undefined;
  /** What it can reach; the catalog and the upstreams have nothing else. */
  readonly access: Access;
  readonly catalog: Catalog;
  readonly upstreams: UpstreamViews;
  /** Names of the capabilities that servers are known to declare, by their names; also before `load`. */
  capabilities(): ReadonlyMap<string, ReadonlySet<string>>;
  /** Fills the catalog with what is known of the servers. */
  load(): void;
  /** Resolves with the index when every tool of the catalog can be found in it, or after a moment. */
  indexed(): Promise<ToolIndex>;
  /** From now on the session hears of what happens. */
  attach(listener: SessionListener): void;
  /** The client has its answer to `initialize`: upstreams that start unasked can be started for it. */
  start(): void;
}

/** What a session wants to hear of the parts behind it. */
export interface SessionListener {
  readonly catalogChanged?: (change: CatalogChange) => void;
  readonly configChanged?: () => void;
  readonly statusChanged?: () => void;
  readonly upstreamReady?: (server: string, connection: ConnectionView) => void;
  /** An upstream asks the client something. */
  readonly upstreamRequest: (request: IncomingRequest, from: Asking) => void;
  readonly upstreamNotification: (server: string, frame: NotificationFrame) => void;
}

/** Who asks, and in the course of what. */
export interface Asking {
  readonly server: Peer;
  /** The client's request in whose course it asks, where that is known; its id as the client gave it. */
  readonly relatedRequest: string | undefined;
}
