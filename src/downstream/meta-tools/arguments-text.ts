import { ToolsiftError } from '../../errors.ts';
import { InvalidJson } from '../../json/invalid-json.ts';
import { isObjectAt, type Span, skipSpace, skipValue } from '../../json/scan.ts';
import type { Chunk } from '../../json/splice.ts';
import { type Frame, parsePart } from '../../jsonrpc/frame.ts';
import { kindOf } from './read-arguments.ts';

/**
 * The text to send as `arguments`, exactly as the client wrote it. Absent, null and blank count as `{}`. Some models
 * send the object as a JSON string: that is unwrapped once, and what is inside stays as it is.
 *
 * @throws ToolsiftError `invalid_arguments` for anything that is no object
 */
export function argumentsText(frame: Frame, span: Span | undefined): Chunk {
  if (span === undefined) return '{}';
  if (isObjectAt(frame.bytes, span.start)) return frame.bytes.subarray(span.start, span.end);
  const value = parsePart(frame, span);
  if (value === null) return '{}';
  if (typeof value !== 'string') {
    throw invalid(`"arguments" must be a JSON object, not ${kindOf(value)}`);
  }
  if (value.trim() === '') return '{}';
  if (!isObjectText(Buffer.from(value))) {
    throw invalid('"arguments" is a string that does not hold a JSON object; pass the object itself');
  }
  return value;
}

function isObjectText(bytes: Buffer): boolean {
  const start = skipSpace(bytes, 0);
  if (!isObjectAt(bytes, start)) return false;
  try {
    return skipSpace(bytes, skipValue(bytes, start)) === bytes.length;
  } catch (error) {
    if (error instanceof InvalidJson) return false;
    throw error;
  }
}

function invalid(what: string): ToolsiftError {
  return new ToolsiftError('invalid_arguments', what);
}
