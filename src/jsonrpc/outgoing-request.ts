import type { ToolsiftError } from '../errors.ts';
import type { Span } from '../json/scan.ts';
import type { NotificationFrame, ResponseFrame } from './frame.ts';

export interface OutgoingRequest {
  /** JSON text. */
  readonly id: string;
  /** Cancels the request at the other side and forgets it. */
  cancel(reason?: string): void;
  /** Forgets the request without telling the other side. */
  forget(): void;
}

export interface SendOptions {
  /** Called once, before all else, when nothing is waited for any more: answered, lost, cancelled or forgotten. */
  readonly onover?: (() => void) | undefined;
  readonly onanswer: (answer: ResponseFrame) => void;
  /** Called instead of `onanswer` when no answer can come any more. */
  readonly onlost: (reason: ToolsiftError) => void;
  readonly onprogress?: ((notification: NotificationFrame, token: Span) => void) | undefined;
}

/** JSON types that the id and the progress token of a request are to have; numbers where not said. */
export interface TextKinds {
  readonly isIdString?: boolean;
  readonly isTokenString?: boolean;
}
