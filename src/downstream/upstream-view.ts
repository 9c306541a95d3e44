import type { ForwardOptions } from '../jsonrpc/forward-request.ts';
import type { NotificationFrame, ResponseFrame } from '../jsonrpc/frame.ts';
import type { IncomingRequest } from '../jsonrpc/incoming-request.ts';
import type { OutgoingRequest } from '../jsonrpc/outgoing-request.ts';

/** How a request of the client goes on to a server. */
export type Forwarding = Omit<ForwardOptions, 'to' | 'relatedRequest' | 'onover'>;

/** An open connection with an upstream, as far as a session needs it. */
export interface ConnectionView {
  readonly capabilities: ReadonlySet<string>;
  /** The result of `initialize`, as the upstream wrote it. */
  readonly initializeResult: string;
  /** Sends a request of the client on, and its answer, progress and cancellation back and forth. */
  forward(request: IncomingRequest, options: Forwarding): OutgoingRequest;
  /** A request of our own on behalf of the client. */
  request(method: string, params?: string, signal?: AbortSignal): Promise<ResponseFrame>;
  notifyWith(frame: NotificationFrame): void;
  /** @param params those of the client's `logging/setLevel`, JSON text */
  setLogLevel(params: string): void;
  /** Subscribes again to a resource the client is subscribed to. */
  subscribe(uri: string): void;
  /** What the upstream asks or tells of this task is for the client. */
  taskMade(taskId: string): void;
  /** All items of a paginated list, each as JSON text. */
  listAll(method: string, key: string): Promise<string[]>;
}

/** What the downstream side may know of an upstream and do with it. */
export interface UpstreamView {
  readonly name: string;
  readonly status: { readonly state: string; readonly reason?: string; readonly since: number };
  /** The open connection; undefined while there is none. */
  readonly connection: ConnectionView | undefined;
  readonly limits: CallLimits;
  /**
   * The connection to use for a request: at once where it is open, else once it has been started.
   *
   * @throws ToolsiftError that says why there is none
   */
  acquire(): ConnectionView | Promise<ConnectionView>;
  /** Resolves when every list change it announced has reached the catalog. */
  untilListsRead(): Promise<void>;
}

/** Time limits of calls, in milliseconds; none where absent. */
export interface CallLimits {
  readonly timeoutMs?: number;
  readonly maxTimeoutMs?: number;
  readonly toolTimeoutsMs?: ReadonlyMap<string, number>;
}

/** The upstreams in the order of the configuration. */
export type UpstreamViews = ReadonlyMap<string, UpstreamView>;
