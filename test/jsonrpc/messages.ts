import { type Chunk, joinChunks } from '../../src/json/splice.ts';
import {
  type Frame,
  idOf,
  type NotificationFrame,
  type RequestFrame,
  type ResponseFrame,
  readFrames,
} from '../../src/jsonrpc/frame.ts';
import type { Link, LinkFault, LinkHandlers } from '../../src/jsonrpc/link.ts';
import type { About, Message } from '../../src/jsonrpc/message.ts';
import { Peer, type PeerHandlers } from '../../src/jsonrpc/peer.ts';

/** The one frame that a text is. */
export function frameOf(text: string): Frame {
  const [frame, ...more] = readFrames(Buffer.from(text));
  if (frame === undefined || more.length > 0) throw new Error(`not one message: ${text.slice(0, 200)}`);
  return frame;
}

export function requestFrame(text: string): RequestFrame {
  const frame = frameOf(text);
  if (frame.kind !== 'request') throw new Error(`no request: ${text.slice(0, 200)}`);
  return frame;
}

export function notificationFrame(text: string): NotificationFrame {
  const frame = frameOf(text);
  if (frame.kind !== 'notification') throw new Error(`no notification: ${text.slice(0, 200)}`);
  return frame;
}

export function responseFrame(text: string): ResponseFrame {
  const frame = frameOf(text);
  if (frame.kind !== 'response') throw new Error(`no answer: ${text.slice(0, 200)}`);
  return frame;
}

/** What is known of a message that is written out in a test. */
export function aboutOf(text: string): About {
  const frame = frameOf(text);
  if (frame.kind === 'notification') return { kind: frame.kind, method: frame.method };
  if (frame.kind === 'response') return { kind: frame.kind, id: idOf(frame) };
  return { kind: frame.kind, id: idOf(frame), method: frame.method };
}

/** A message that is written out in a test. */
export function messageOf(text: string): Message {
  return { chunks: [text], about: aboutOf(text) };
}

/** A peer that hears what the link says. */
export function peerOn(link: Link, handlers: PeerHandlers): Peer {
  const peer = new Peer(link, handlers);
  void peer.start();
  return peer;
}

export function textOfChunks(chunks: readonly Chunk[]): string {
  return joinChunks(chunks).toString('utf8');
}

/** A link whose other end is the test: what is sent is kept as text, what is received is handed in. */
export class TestLink implements Link {
  readonly sent: string[] = [];
  readonly abouts: About[] = [];
  #handlers: LinkHandlers | undefined;

  async start(handlers: LinkHandlers): Promise<void> {
    this.#handlers = handlers;
  }

  send(message: readonly Chunk[], about: About): void {
    this.sent.push(textOfChunks(message));
    this.abouts.push(about);
  }

  async close(): Promise<void> {
    this.end(new Error('closed by us'));
  }

  receive(text: string): void {
    for (const frame of readFrames(Buffer.from(text))) this.#handlers?.onframe(frame);
  }

  fail(fault: LinkFault): void {
    this.#handlers?.onfault(fault);
  }

  end(reason: Error): void {
    this.#handlers?.onclose(reason);
  }
}

export const ignoring: PeerHandlers = {
  onrequest: () => {},
  onnotification: () => {},
  onclose: () => {},
  onfault: () => {},
};
