import { InvalidJson } from '../json/invalid-json.ts';
import { membersAt, spanAt } from '../json/members.ts';
import {
  isArrayAt,
  isObjectAt,
  type Member,
  readString,
  type Span,
  scanArray,
  skipColon,
  skipSpace,
  skipString,
  skipValue,
} from '../json/scan.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const CLOSE_BRACE = 0x7d;

/** What a frame was read from, for whoever cannot deliver it yet. */
export interface Origin {
  /** Reads no further until the returned function is called. */
  hold(): () => void;
  /** The request of ours that this stream came back for, as we gave its id; what comes on it belongs to that. */
  readonly relatedRequest?: string | undefined;
}

export interface RequestFrame {
  readonly kind: 'request';
  /** The message exactly as received; the spans are places in it. */
  readonly bytes: Buffer;
  readonly id: Span;
  readonly method: string;
  readonly params: Span | undefined;
  readonly origin?: Origin | undefined;
}

export interface NotificationFrame {
  readonly kind: 'notification';
  readonly bytes: Buffer;
  readonly method: string;
  readonly params: Span | undefined;
  readonly origin?: Origin | undefined;
}

/**
 * When a peer sends a result and an error, both are known and travel together. An answer that has an id and neither
 * is a frame all the same, so that whoever waits for it can be told; so is one without an id.
 */
export interface ResponseFrame {
  readonly kind: 'response';
  readonly bytes: Buffer;
  readonly id: Span | undefined;
  readonly result: Span | undefined;
  readonly error: Span | undefined;
  readonly origin?: Origin | undefined;
}

/** One JSON-RPC message: its bytes exactly as received, and where its parts stand in them. */
export type Frame = RequestFrame | NotificationFrame | ResponseFrame;

/** A part of a message that holds more than a name. */
export type Part = 'params' | 'result' | 'error';

/**
 * Reads one line: a message, or a batch of them (protocol 2025-03-26). Anything that is not JSON-RPC 2.0 is
 * left out, so junk gives an empty list.
 */
export function readFrames(line: Buffer, origin?: Origin): Frame[] {
  try {
    const start = skipSpace(line, 0);
    if (!isArrayAt(line, start))
      return [readMessage(line, start, origin)].filter((frame) => frame !== undefined);
    const { elements, end } = scanArray(line, start);
    if (skipSpace(line, end) !== line.length) return [];
    return elements
      .map(({ start: from, end: to }) => readMessage(line.subarray(from, to), 0, origin))
      .filter((frame) => frame !== undefined);
  } catch (error) {
    if (error instanceof InvalidJson) return [];
    throw error;
  }
}

/** The text of a part of a frame, e.g. its id as the other side spelled it. */
export function textOf(frame: Frame, span: Span): string {
  return frame.bytes.toString('utf8', span.start, span.end);
}

/** The value of a part of a frame, for code that has to understand it. */
export function parsePart(frame: Frame, span: Span | undefined): unknown {
  return span === undefined ? undefined : JSON.parse(textOf(frame, span));
}

/** The id as spelled, which is what requests and answers are matched by. */
export function idOf(frame: RequestFrame | ResponseFrame): string {
  return frame.id === undefined ? 'null' : textOf(frame, frame.id);
}

/** Where a part of a frame stands, or what the keys lead to inside it. */
export function at(frame: Frame, part: Part, ...keys: readonly string[]): Span | undefined {
  return spanAt(frame.bytes, partOf(frame, part), ...keys);
}

/** The value of what stands there, for code that has to understand it. */
export function valueAt(frame: Frame, part: Part, ...keys: readonly string[]): unknown {
  return parsePart(frame, at(frame, part, ...keys));
}

/** Members of what stands there; none where that is no object. */
export function membersIn(frame: Frame, part: Part, ...keys: readonly string[]): readonly Member[] {
  return membersAt(frame.bytes, at(frame, part, ...keys));
}

function partOf(frame: Frame, part: Part): Span | undefined {
  if (frame.kind === 'response') return part === 'params' ? undefined : frame[part];
  return part === 'params' ? frame.params : undefined;
}

function readMessage(line: Buffer, start: number, origin: Origin | undefined): Frame | undefined {
  if (!isObjectAt(line, start)) return undefined;
  let id: Span | undefined;
  let params: Span | undefined;
  let result: Span | undefined;
  let error: Span | undefined;
  let method: string | undefined;
  let isVersion2 = false;
  let at = skipSpace(line, start + 1);
  let hasMore = line[at] !== CLOSE_BRACE;
  while (hasMore) {
    const keyEnd = skipString(line, at);
    const value = { start: skipColon(line, keyEnd), end: 0 };
    value.end = skipValue(line, value.start);
    switch (readString(line, at, keyEnd)) {
      case 'jsonrpc':
        isVersion2 = stringAt(line, value) === '2.0';
        break;
      case 'id':
        id = value;
        break;
      case 'method':
        method = stringAt(line, value);
        if (method === undefined) return undefined;
        break;
      case 'params':
        params = value;
        break;
      case 'result':
        result = value;
        break;
      case 'error':
        error = value;
        break;
    }
    at = skipSpace(line, value.end);
    hasMore = line[at] === COMMA;
    if (hasMore) at = skipSpace(line, at + 1);
  }
  if (line[at] !== CLOSE_BRACE || skipSpace(line, at + 1) !== line.length || !isVersion2) return undefined;
  if (method !== undefined) {
    if (id === undefined) return { kind: 'notification', bytes: line, method, params, origin };
    return { kind: 'request', bytes: line, id, method, params, origin };
  }
  if (id === undefined && result === undefined && error === undefined) return undefined;
  return { kind: 'response', bytes: line, id, result, error, origin };
}

function stringAt(line: Buffer, { start, end }: Span): string | undefined {
  return line[start] === QUOTE ? readString(line, start, end) : undefined;
}
