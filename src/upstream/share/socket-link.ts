import type { Socket } from 'node:net';
import { StreamLink } from '../../jsonrpc/stream-link.ts';

/** How long what was written last may take to reach the other side, which may be stuck. */
const CLOSE_LIMIT_MS = 500;

/** A link over a local socket. Whoever reads from the server has limited the messages already. */
export class SocketLink extends StreamLink {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    super({ input: socket, output: socket, maxMessageBytes: Number.MAX_SAFE_INTEGER });
    this.#socket = socket;
  }

  /** Ends the connection once everything is sent; bounded. */
  override async close(): Promise<void> {
    await super.close();
    const socket = this.#socket;
    if (socket.destroyed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, CLOSE_LIMIT_MS);
      socket.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
    });
    socket.destroy();
  }
}
