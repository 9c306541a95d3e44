import { InvalidJson } from '../json/invalid-json.ts';
import { readString, skipColon, skipSpace, skipString, skipValue } from '../json/scan.ts';

/** What can still be told of a message that was too long to keep. */
export interface Oversize {
  /** Undefined where the id stands neither near the beginning nor at the end. */
  readonly id: string | undefined;
  readonly of: 'request' | 'response';
}

const ID_AT_END =
  /,\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** Reads the id and the kind of a message off its first and last bytes: writers put them before or after the rest. */
export function readOversize(head: Buffer, tail: Buffer): Oversize {
  let id: string | undefined;
  let of: Oversize['of'] = 'response';
  try {
    let at = skipSpace(head, skipSpace(head, 0) + 1);
    for (;;) {
      const keyEnd = skipString(head, at);
      const key = readString(head, at, keyEnd);
      if (key === 'method' || key === 'params') of = 'request';
      const start = skipColon(head, keyEnd);
      const end = skipValue(head, start);
      // The cut may run through a number, which then looks like a shorter one.
      if (end === head.length) break;
      if (key === 'id') id = idText(head.toString('utf8', start, end));
      at = skipSpace(head, skipSpace(head, end) + 1);
    }
  } catch (error) {
    // This is where the first bytes end, in the middle of what made the message so long.
    if (!(error instanceof InvalidJson)) throw error;
  }
  return { id: id ?? ID_AT_END.exec(tail.toString('latin1'))?.[1], of };
}

function idText(text: string): string | undefined {
  return /^["\d-]/.test(text) ? text : undefined;
}
