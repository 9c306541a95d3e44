import type { ToolsiftError } from '../errors.ts';
import type { Connection } from './connection.ts';
import type { UpstreamState } from './upstream-status.ts';

/** What a supervisor is doing; each state holds what is needed in it and in no other. */
export type SupervisorState =
  | Idle
  | Starting
  | Ready
  | Backoff
  | Parked
  | Resting
  | Stopping
  | { readonly kind: 'stopped' };

/** Not running; the next use starts it. */
export interface Idle {
  readonly kind: 'idle';
  /** What went wrong the last time. */
  readonly failure?: ToolsiftError | undefined;
}

export interface Starting {
  readonly kind: 'starting';
  readonly initializeParams: string;
  /** Shared by all who want the connection. */
  readonly attempt: Promise<Connection>;
  readonly abort: AbortController;
  /** Why it has to be started again, where that is so. */
  readonly failure: ToolsiftError | undefined;
}

export interface Ready {
  readonly kind: 'ready';
  readonly connection: Connection;
  readonly since: number;
}

/** What is known in a state that follows a failure. */
export interface Failed {
  readonly failure: ToolsiftError;
  /** What it was last started with. */
  readonly initializeParams: string;
  /** When a use may start it again. */
  readonly notBefore: number;
}

/** It is started again at a time, by itself or, where it is not wanted unasked, with its next use. */
export interface Backoff extends Failed {
  readonly kind: 'backoff';
  readonly restartAt: number;
  readonly cancelRestart: () => void;
  /** Resolves when this state is left. */
  readonly over: Promise<void>;
  readonly leave: () => void;
}

/** It failed in a way that trying again does not mend, or too often. */
export interface Parked extends Failed {
  readonly kind: 'parked';
  readonly as: 'failed' | 'needs_login';
}

/** On its way to idle. */
export interface Resting {
  readonly kind: 'resting';
  readonly done: Promise<void>;
}

/** On its way out, for good. */
export interface Stopping {
  readonly kind: 'stopping';
  readonly done: Promise<void>;
}

/** The state as shown to people and models, and why it is in it. */
export function shownAs(state: SupervisorState): { state: UpstreamState; reason?: string } {
  switch (state.kind) {
    case 'idle':
      return { state: 'idle', ...reasonOf(state.failure) };
    case 'starting':
      return {
        state: 'starting',
        reason:
          state.failure === undefined
            ? 'has not answered initialize yet'
            : `${state.failure.message}; it is being started again`,
      };
    case 'ready':
    case 'stopping':
    case 'stopped':
      return { state: state.kind };
    case 'backoff':
      return { state: 'backoff', ...reasonOf(state.failure) };
    case 'parked':
      return { state: state.as, ...reasonOf(state.failure) };
    case 'resting':
      return { state: 'stopping' };
  }
}

function reasonOf(failure: ToolsiftError | undefined): { reason?: string } {
  return failure === undefined ? {} : { reason: failure.message };
}
