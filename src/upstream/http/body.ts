import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { type Frame, type Origin, readFrames } from '../../jsonrpc/frame.ts';
import { readJunk } from '../../jsonrpc/junk.ts';
import type { LinkHandlers } from '../../jsonrpc/link.ts';
import { MessageBuffer } from '../../jsonrpc/message-buffer.ts';
import { readOversize } from '../../jsonrpc/oversize.ts';
import { BodyOrigin } from './body-origin.ts';
import { type SseEvent, SseReader } from './sse-reader.ts';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** An event above the limit is passed over and the stream goes on; one so many times as long has no end. */
const HOPELESS_FACTOR = 4;
const REFUSAL_TIMEOUT_MS = 10_000;
const MAX_DISCARDED_BYTES = 64 * 1024;
const DISCARD_TIMEOUT_MS = 5000;

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
  const message = new MessageBuffer(() => limit);
  for await (const chunk of body as AsyncIterable<Buffer>) {
    message.settle();
    message.append(chunk);
    // Leaving the loop destroys the stream.
    if (message.length > limit) throw new BodyTooLarge(message.length);
  }
  return withoutMark(message.take());
}

/** What a refusal says, as far as it comes: the status has said the rest, so neither size nor time is without end. */
export async function readRefusal(body: Readable, limit: number): Promise<Buffer> {
  const timer = setTimeout(() => body.destroy(), REFUSAL_TIMEOUT_MS).unref();
  const message = new MessageBuffer(() => limit);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (message.length + chunk.length > limit) break;
      message.settle();
      message.append(chunk);
    }
  } catch {
    // See above.
  } finally {
    clearTimeout(timer);
  }
  return withoutMark(message.take());
}

/** Reads to the end what nobody wants, so that the connection can be used again; unless the end is far. */
export function discard(body: Readable): void {
  let bytes = 0;
  const timer = setTimeout(() => body.destroy(), DISCARD_TIMEOUT_MS).unref();
  body.on('error', () => {});
  body.once('close', () => clearTimeout(timer));
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_DISCARDED_BYTES) body.destroy();
  });
}

export interface EventHandlers {
  /** Longest event kept, in bytes; looked at as one grows. */
  readonly limit: number;
  /** The request of ours that the stream came back for, where it is one request's. */
  readonly relatedRequest?: string | undefined;
  readonly onframe: (frame: Frame) => void;
  readonly onfault: LinkHandlers['onfault'];
  readonly onid: (id: string) => void;
  readonly onretry: (ms: number) => void;
  /** An event of another type than `message`. */
  readonly onother?: (type: string, data: Buffer) => void;
  /** Whether the event with this id was seen before. */
  readonly isDuplicate?: (id: string) => boolean;
}

/** Reads a stream of events to its end. Rejects with what broke it, `BodyTooLarge` for an event without end. */
export function readEvents(body: Readable, handlers: EventHandlers): Promise<void> {
  const origin = new BodyOrigin(body, handlers.relatedRequest);
  const reader = new SseReader({
    get limit() {
      return handlers.limit;
    },
    onretry: handlers.onretry,
    onevent: (event) => handleEvent(event, handlers, origin),
  });
  return new Promise((resolve, reject) => {
    body.on('data', (chunk: Buffer) => {
      reader.push(chunk);
      const bytes = reader.pendingBytes;
      if (bytes > handlers.limit * HOPELESS_FACTOR) body.destroy(new BodyTooLarge(bytes));
      origin.endTurn();
    });
    body.once('end', () => {
      reader.end();
      resolve();
    });
    body.once('error', reject);
    body.once('close', () => reject(new Error('the stream was closed')));
  });
}

function handleEvent({ type, id, data }: SseEvent, handlers: EventHandlers, origin: BodyOrigin): void {
  origin.brought();
  const { limit, onfault } = handlers;
  if (id !== undefined) {
    if (handlers.isDuplicate?.(id)) return;
    handlers.onid(id);
  }
  if (!Buffer.isBuffer(data)) {
    onfault({ kind: 'oversize', bytes: data.bytes, limit, ...readOversize(data.head, data.tail) });
  } else if (type !== 'message') handlers.onother?.(type, data);
  else if (data.length > 0) readMessage(data, handlers, origin);
}

function readMessage(data: Buffer, { onframe, onfault }: EventHandlers, origin: Origin): void {
  const frames = readFrames(data, origin);
  if (frames.length === 0) onfault({ kind: 'junk', ...readJunk(data) });
  for (const frame of frames) onframe(frame);
}

export function isEventStream(headers: IncomingHttpHeaders): boolean {
  return /^\s*text\/event-stream\s*(;|$)/i.test(headers['content-type'] ?? '');
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
}
