import type { Peer } from '../jsonrpc/peer.ts';

/** The open session with an upstream, as far as calls need it. */
export interface UpstreamSession {
  readonly peer: Peer;
  readonly capabilities: ReadonlySet<string>;
  /** All items of a paginated list, each as JSON text. */
  listAll(method: string, key: string): Promise<string[]>;
}

/** What the downstream side may know of an upstream and do with it. */
export interface UpstreamView {
  readonly name: string;
  readonly status: { readonly state: string; readonly reason?: string; readonly since: number };
  /** The open session; undefined while there is none. */
  readonly connection: UpstreamSession | undefined;
  readonly limits: CallLimits;
  /**
   * The session to use for a request: at once where it is open, else once it has been started.
   *
   * @throws ToolsiftError that says why there is none
   */
  acquire(): UpstreamSession | Promise<UpstreamSession>;
  /** Resolves when every list change it announced has reached the catalog. */
  listsSettled(): Promise<void>;
}

/** Time limits of calls, in milliseconds; none where absent. */
export interface CallLimits {
  readonly timeoutMs?: number;
  readonly maxTimeoutMs?: number;
  readonly toolTimeoutsMs?: ReadonlyMap<string, number>;
}

/** The upstreams in the order of the configuration. */
export type UpstreamViews = ReadonlyMap<string, UpstreamView>;
