import { type Chunk, joinChunks } from '../../src/json/splice.ts';
import { type Frame, readFrames } from '../../src/jsonrpc/frame.ts';
import type { Link } from '../../src/jsonrpc/link.ts';
import type { PeerHandlers } from '../../src/jsonrpc/peer.ts';

/** The one frame that a text is. */
export function frameOf(text: string): Frame {
  const [frame, ...more] = readFrames(Buffer.from(text));
  if (frame === undefined || more.length > 0) throw new Error(`not one message: ${text.slice(0, 200)}`);
  return frame;
}

export function textOfChunks(chunks: readonly Chunk[]): string {
  return joinChunks(chunks).toString('utf8');
}

/** A link whose other end is the test: what is sent is kept as text, what is received is handed in. */
export class TestLink implements Link {
  onframe: Link['onframe'] = () => {};
  onfault: Link['onfault'] = () => {};
  onclose: Link['onclose'] = () => {};
  readonly sent: string[] = [];

  async start(): Promise<void> {}

  send(message: readonly Chunk[]): void {
    this.sent.push(textOfChunks(message));
  }

  async close(): Promise<void> {
    this.onclose(new Error('closed by us'));
  }

  receive(text: string): void {
    for (const frame of readFrames(Buffer.from(text))) this.onframe(frame);
  }
}

export const ignoring: PeerHandlers = {
  onrequest: () => {},
  onnotification: () => {},
  onclose: () => {},
  onfault: () => {},
};
