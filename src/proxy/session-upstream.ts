import type { SessionListener } from '../downstream/session-scope.ts';
import type { CallLimits, ConnectionView, UpstreamView } from '../downstream/upstream-view.ts';
import type { NotificationFrame } from '../jsonrpc/frame.ts';
import type { IncomingRequest } from '../jsonrpc/incoming-request.ts';
import type { Peer } from '../jsonrpc/peer.ts';
import type { Connection } from '../upstream/connection.ts';
import type { HubMember } from '../upstream/hub/hub.ts';
import type { Upstream } from '../upstream/upstream.ts';
import type { UpstreamStatus } from '../upstream/upstream-status.ts';
import { SessionConnection } from './session-connection.ts';

/** A server as one session has it: the one that runs for all clients of its kind, or one of its own. */
export class SessionUpstream implements UpstreamView, HubMember {
  readonly upstream: Upstream;
  readonly #initializeParams: string;
  #listener: SessionListener | undefined;
  #current: { readonly connection: Connection; readonly view: SessionConnection } | undefined;

  /** @param initializeParams what the session's client says of itself */
  constructor(upstream: Upstream, initializeParams: string) {
    this.upstream = upstream;
    this.#initializeParams = initializeParams;
  }

  get name(): string {
    return this.upstream.name;
  }

  get status(): UpstreamStatus {
    return this.upstream.status;
  }

  get limits(): CallLimits {
    return this.upstream.config;
  }

  get connection(): ConnectionView | undefined {
    const { connection } = this.upstream;
    return connection === undefined ? undefined : this.#viewOf(connection);
  }

  acquire(): ConnectionView | Promise<ConnectionView> {
    const acquired = this.upstream.acquire(this.#initializeParams);
    if (!(acquired instanceof Promise)) return this.#viewOf(acquired);
    return acquired.then((connection) => this.#viewOf(connection));
  }

  untilListsRead(): Promise<void> {
    return this.upstream.untilListsRead();
  }

  /** @throws ToolsiftError when it cannot be started, or its tools cannot be read */
  refresh(): Promise<void> {
    return this.upstream.refresh(this.#initializeParams);
  }

  /** From now on the session hears what the server asks and tells. */
  join(listener: SessionListener): void {
    this.#listener = listener;
    this.upstream.join(this);
    if (this.connection !== undefined) this.ready();
  }

  leave(): void {
    this.upstream.leave(this);
    this.#listener = undefined;
  }

  /** The server is up, for the first time or anew. */
  ready(): void {
    const { connection } = this;
    if (connection !== undefined) this.#listener?.upstreamReady?.(this.name, connection);
  }

  asked(request: IncomingRequest, server: Peer, relatedRequest: string | undefined): void {
    this.#listener?.upstreamRequest(request, { server, relatedRequest });
  }

  told(notification: NotificationFrame): void {
    this.#listener?.upstreamNotification(this.name, notification);
  }

  #viewOf(connection: Connection): SessionConnection {
    if (this.#current?.connection !== connection)
      this.#current = { connection, view: new SessionConnection(connection, this) };
    return this.#current.view;
  }
}
