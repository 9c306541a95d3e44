import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Frame } from '../../jsonrpc/frame.ts';
import { readFrames } from '../../jsonrpc/frame.ts';
import type { Link } from '../../jsonrpc/link.ts';
import { readOversize } from '../../jsonrpc/oversize.ts';
import { SseReader } from './sse-reader.ts';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const JUNK_SHOWN_BYTES = 200;

export class BodyTooLarge extends Error {
  readonly bytes: number;

  constructor(bytes: number) {
    super(`a body of ${bytes} bytes or more`);
    this.name = 'BodyTooLarge';
    this.bytes = bytes;
  }
}

/** The whole body. Throws what broke it, or `BodyTooLarge`; the rest is not read then. */
export async function readBody(body: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Leaving the loop destroys the stream.
    if (length > limit) throw new BodyTooLarge(length);
    chunks.push(chunk);
  }
  const whole = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
  return whole.subarray(0, 3).equals(BYTE_ORDER_MARK) ? whole.subarray(3) : whole;
}

export interface EventHandlers {
  readonly limit: number;
  readonly onframe: (frame: Frame) => void;
  readonly onfault: Link['onfault'];
  readonly onid: (id: string) => void;
  readonly onretry: (ms: number) => void;
  /** An event of another type than `message`. */
  readonly onother?: (type: string, data: Buffer) => void;
  /** Whether the event with this id was seen before. */
  readonly isDuplicate?: (id: string) => boolean;
}

/** Reads a stream of events to its end. Rejects with what broke it. */
export function readEvents(body: Readable, handlers: EventHandlers): Promise<void> {
  const { limit, onfault } = handlers;
  const reader = new SseReader({
    limit,
    onretry: handlers.onretry,
    onoversize: (bytes, head, tail) =>
      onfault({ kind: 'oversize', bytes, limit, ...readOversize(head, tail) }),
    onevent: ({ type, id, data }) => {
      if (id !== undefined) {
        if (handlers.isDuplicate?.(id)) return;
        handlers.onid(id);
      }
      if (type !== 'message') handlers.onother?.(type, data);
      else if (data.length > 0) readMessage(data, handlers);
    },
  });
  return new Promise((resolve, reject) => {
    body.on('data', (chunk: Buffer) => reader.push(chunk));
    body.once('end', () => {
      reader.end();
      resolve();
    });
    body.once('error', reject);
    body.once('close', () => reject(new Error('the stream was closed')));
  });
}

function readMessage(data: Buffer, { onframe, onfault }: EventHandlers): void {
  const frames = readFrames(data);
  if (frames.length === 0) onfault({ kind: 'junk', line: data.toString('utf8', 0, JUNK_SHOWN_BYTES) });
  for (const frame of frames) onframe(frame);
}

export function isEventStream(headers: IncomingHttpHeaders): boolean {
  return /^\s*text\/event-stream\s*(;|$)/i.test(headers['content-type'] ?? '');
}
