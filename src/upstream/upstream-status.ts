/** States of an upstream, as shown to people and models. */
export type UpstreamState =
  | 'idle'
  | 'starting'
  | 'ready'
  | 'backoff'
  | 'failed'
  | 'needs_login'
  | 'stopping'
  | 'stopped'
  | 'disabled';

export interface UpstreamStatus {
  readonly state: UpstreamState;
  /** Why it is in this state, and what to do about it; absent where the state says it all. */
  readonly reason?: string;
  /** When it entered the state, in milliseconds since the epoch. */
  readonly since: number;
}
