import type { CatalogChange } from '../catalog/catalog.ts';
import type { NotificationFrame } from '../jsonrpc/frame.ts';
import type { IncomingRequest } from '../jsonrpc/incoming-request.ts';
import type { Peer } from '../jsonrpc/peer.ts';
import type { UpstreamSession } from './upstream-view.ts';

/** A conversation with a client, as the parts behind it see it. */
export interface Session {
  start(): Promise<void>;
  catalogChanged(change: CatalogChange): void;
  configChanged(): void;
  statusChanged(): void;
  upstreamReady(server: string, session: UpstreamSession): void;
  /** A request of an upstream for the client. */
  upstreamRequest(request: IncomingRequest, upstream: Peer): void;
  upstreamNotification(server: string, frame: NotificationFrame): void;
}
