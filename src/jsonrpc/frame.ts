import {
  InvalidJson,
  isArrayAt,
  isObjectAt,
  type Member,
  type Span,
  scanArray,
  scanObject,
  skipSpace,
} from './scan.ts';

export type FrameKind = 'request' | 'notification' | 'response';

/**
 * One JSON-RPC message: its bytes exactly as received, and where its parts stand in them.
 *
 * A `response` has a `result` or an `error`; when a peer sends both, both are known and travel together.
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
    return elements.flatMap((span) => readFrames(line.subarray(span.start, span.end)));
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
  const { members, end } = scanObject(line, start);
  if (skipSpace(line, end) !== line.length) return undefined;
  const at = (key: string) => memberOf(members, key);
  const version = at('jsonrpc');
  if (version === undefined || !isVersion2(line.toString('utf8', version.start, version.end)))
    return undefined;
  const parts = { bytes: line, id: at('id'), params: at('params'), result: at('result'), error: at('error') };
  const name = at('method');
  if (name !== undefined) {
    const method: unknown = JSON.parse(line.toString('utf8', name.start, name.end));
    if (typeof method !== 'string') return undefined;
    return { ...parts, kind: parts.id === undefined ? 'notification' : 'request', method };
  }
  if (parts.result === undefined && parts.error === undefined) return undefined;
  return { ...parts, kind: 'response', method: '' };
}

function isVersion2(text: string): boolean {
  // A string may be spelled with escapes, even this one.
  return text === '"2.0"' || (text.startsWith('"') && JSON.parse(text) === '2.0');
}
