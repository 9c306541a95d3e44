import type { ToolsiftError } from '../errors.ts';
import type { Chunk } from '../json/splice.ts';
import type { Frame } from './frame.ts';
import type { Junk } from './junk.ts';
import type { About } from './message.ts';
import type { Oversize } from './oversize.ts';

/** Something that arrived and is no frame. */
export type LinkFault =
  /** A line that is not JSON-RPC: a banner, a log line, cut-off JSON. */
  | ({ readonly kind: 'junk' } & Junk)
  /** A message above the limit, dropped. */
  | ({ readonly kind: 'oversize'; readonly bytes: number; readonly limit: number } & Oversize)
  /** A bug of ours while a message was handled; the conversation goes on without it. */
  | { readonly kind: 'bug'; readonly error: unknown }
  /** The request with this id cannot be answered any more; the others are not concerned. */
  | { readonly kind: 'lost'; readonly id: string; readonly error: ToolsiftError };

/** What a link tells whoever started it. */
export interface LinkHandlers {
  readonly onframe: (frame: Frame) => void;
  readonly onfault: (fault: LinkFault) => void;
  /** Called exactly once, whichever side ended it, with what is known of the reason. */
  readonly onclose: (reason: Error) => void;
}

/** Moves frames in both directions and knows nothing of what they mean. */
export interface Link {
  /** Resolves when frames can be sent. */
  start(handlers: LinkHandlers): Promise<void>;
  /**
   * Does nothing once the link has ended.
   *
   * @param message one message, in pieces
   * @param about what its writer knows of it, so that nobody has to read it again
   */
  send(message: readonly Chunk[], about: About): void;
  close(): Promise<void>;
}
