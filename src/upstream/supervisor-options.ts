import type { ToolsiftError } from '../errors.ts';
import type { Clock } from './clock.ts';
import type { Connection } from './connection.ts';
import type { RestartPolicy } from './restart-policy.ts';
import type { UpstreamStatus } from './upstream-status.ts';

export interface Start {
  /** The `params` of `initialize`, as JSON text. */
  readonly initializeParams: string;
  /** Breaks the start off. */
  readonly signal: AbortSignal;
  /** Tells when the connection that came of it has ended. */
  readonly onclose: (reason: ToolsiftError) => void;
}

export interface SupervisorOptions {
  readonly name: string;
  readonly policy: RestartPolicy;
  readonly clock: Clock;
  /** Starts the upstream once. */
  readonly open: (start: Start) => Promise<Connection>;
  readonly onready: (connection: Connection) => void;
  readonly onstatus: (status: UpstreamStatus) => void;
  /** Whether to start it again unasked after a failure, or to wait for the next use. */
  readonly isWantedUnasked: () => boolean;
}
