import type { ToolsiftError } from '../errors.ts';
import type { Chunk } from '../json/splice.ts';
import type { Frame } from './frame.ts';
import type { Oversize } from './oversize.ts';

/** Something that arrived and is no frame. */
export type LinkFault =
  /** A line that is not JSON-RPC: a banner, a log line, cut-off JSON. */
  | { readonly kind: 'junk'; readonly line: string }
  /** A message above the limit, dropped. */
  | ({ readonly kind: 'oversize'; readonly bytes: number; readonly limit: number } & Oversize)
  /** A bug of ours while a message was handled; the conversation goes on without it. */
  | { readonly kind: 'bug'; readonly error: unknown }
  /** The request with this id cannot be answered any more; the others are not concerned. */
  | { readonly kind: 'lost'; readonly id: string; readonly error: ToolsiftError };

/**
 * Moves frames in both directions and knows nothing of what they mean.
 *
 * `start` resolves when frames can be sent. `onclose` is called exactly once, whichever side ended it, with what
 * is known of the reason. `send` after that does nothing.
 */
export interface Link {
  /** Whether closing it would end a server that other processes use too. */
  readonly isUsedByOthers?: boolean;
  onframe: (frame: Frame) => void;
  onfault: (fault: LinkFault) => void;
  onclose: (reason: Error) => void;
  start(): Promise<void>;
  send(message: readonly Chunk[]): void;
  close(): Promise<void>;
}
