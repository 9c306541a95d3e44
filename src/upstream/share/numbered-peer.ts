import { type OutgoingRequest, Peer, type SendOptions } from '../../jsonrpc/peer.ts';
import type { Chunk } from '../../jsonrpc/splice.ts';

/** A peer that tells which id the latest request was sent under. */
export class NumberedPeer extends Peer {
  /** JSON text. */
  lastId = '';

  override send(
    write: (id: string) => readonly Chunk[],
    options: SendOptions,
    asString?: boolean,
  ): OutgoingRequest {
    const writeAndNote = (id: string) => {
      this.lastId = id;
      return write(id);
    };
    return super.send(writeAndNote, options, asString);
  }
}
