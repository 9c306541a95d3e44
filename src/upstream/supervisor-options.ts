import type { ToolsiftError } from '../errors.ts';
import type { Clock } from './clock.ts';
import type { Connection } from './connection.ts';
import type { RestartPolicy } from './restart-policy.ts';
import type { UpstreamStatus } from './upstream-status.ts';

export interface SupervisorOptions {
  readonly name: string;
  readonly policy: RestartPolicy;
  readonly clock: Clock;
  /** Starts the upstream once; `onclose` tells when the session it returns has ended. */
  readonly open: (signal: AbortSignal, onclose: (reason: ToolsiftError) => void) => Promise<Connection>;
  readonly onready: (connection: Connection) => void;
  readonly onstatus: (status: UpstreamStatus) => void;
  /** Whether to start it again unasked after a failure, or to wait for the next use. */
  readonly isWantedUnasked: () => boolean;
}
