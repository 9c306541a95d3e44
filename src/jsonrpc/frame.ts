import { InvalidJson } from '../json/invalid-json.ts';
import {
  isArrayAt,
  isObjectAt,
  type Member,
  readString,
  type Span,
  scanArray,
  scanObject,
  skipColon,
  skipSpace,
  skipString,
  skipValue,
} from '../json/scan.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const CLOSE_BRACE = 0x7d;

export type FrameKind = 'request' | 'notification' | 'response';

/**
 * One JSON-RPC message: its bytes exactly as received, and where its parts stand in them.
 *
 * A `response` has a `result` or an `error`; when a peer sends both, both are known and travel together. One that
 * has an id and neither is a frame all the same, so that whoever waits for it can be told.
 */
export interface Frame {
  readonly kind: FrameKind;
  readonly bytes: Buffer;
  readonly id: Span | undefined;
  /** Empty for responses. */
  readonly method: string;
  readonly params: Span | undefined;
  readonly result: Span | undefined;
  readonly error: Span | undefined;
}

/**
 * Reads one line: a message, or a batch of them (protocol 2025-03-26). Anything that is not JSON-RPC 2.0 is
 * left out, so junk gives an empty list.
 */
export function readFrames(line: Buffer): Frame[] {
  try {
    const start = skipSpace(line, 0);
    if (!isArrayAt(line, start)) return [readMessage(line, start)].filter((frame) => frame !== undefined);
    const { elements, end } = scanArray(line, start);
    if (skipSpace(line, end) !== line.length) return [];
    return elements
      .map(({ start: from, end: to }) => readMessage(line.subarray(from, to), 0))
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
export function idOf(frame: Frame): string {
  return frame.id === undefined ? 'null' : textOf(frame, frame.id);
}

/** Members of the object at `span`; none when something else stands there. */
export function membersOf(frame: Frame, span: Span | undefined): Member[] {
  if (span === undefined || !isObjectAt(frame.bytes, span.start)) return [];
  return scanObject(frame.bytes, span.start).members;
}

/** The member that counts: the last one of that name, as for `JSON.parse`. */
export function memberOf(members: readonly Member[], key: string): Span | undefined {
  return members.findLast((member) => member.key === key)?.value;
}

function readMessage(line: Buffer, start: number): Frame | undefined {
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
    const kind = id === undefined ? 'notification' : 'request';
    return { kind, bytes: line, id, method, params, result, error };
  }
  if (id === undefined && result === undefined && error === undefined) return undefined;
  return { kind: 'response', bytes: line, id, method: '', params, result, error };
}

function stringAt(line: Buffer, { start, end }: Span): string | undefined {
  return line[start] === QUOTE ? readString(line, start, end) : undefined;
}
