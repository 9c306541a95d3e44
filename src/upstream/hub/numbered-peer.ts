import type { Chunk } from '../../json/splice.ts';
import type { OutgoingRequest, SendOptions, TextKinds } from '../../jsonrpc/outgoing-request.ts';
import { Peer } from '../../jsonrpc/peer.ts';

/** A peer that tells which id the latest request was sent under, and so which token. */
export class NumberedPeer extends Peer {
  /** JSON text. */
  lastId = '';

  override send(
    write: (id: string, token: string) => readonly Chunk[],
    options: SendOptions,
    kinds?: TextKinds,
  ): OutgoingRequest {
    const writeAndNote = (id: string, token: string) => {
      this.lastId = id;
      return write(id, token);
    };
    return super.send(writeAndNote, options, kinds);
  }
}
