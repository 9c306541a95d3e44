import { InvalidJson } from '../json/invalid-json.ts';
import { memberOf } from '../json/members.ts';
import { isObjectAt, scanObject, skipSpace, skipValue } from '../json/scan.ts';

/** More than is quoted of it: what is hidden in the quote must be recognised. */
const KEPT_BYTES = 4096;

/** What can be told of a line that is no message. */
export interface Junk {
  /** Its beginning. */
  readonly line: string;
  /** Whether it is JSON at all. */
  readonly isJson: boolean;
  /** The id of an object that looks like a request, JSON text: a string or a number. */
  readonly id: string | undefined;
  /** Whether it looks like an answer, which is never answered. */
  readonly isAnswer: boolean;
}

export function readJunk(line: Buffer): Junk {
  const text = line.toString('utf8', 0, KEPT_BYTES);
  try {
    const start = skipSpace(line, 0);
    const isJson = skipSpace(line, skipValue(line, start)) === line.length;
    if (!isJson || !isObjectAt(line, start)) return { line: text, isJson, id: undefined, isAnswer: false };
    const { members } = scanObject(line, start);
    const span = memberOf(members, 'id');
    const id = span === undefined ? undefined : line.toString('utf8', span.start, span.end);
    const isAnswer = members.some(({ key }) => key === 'result' || key === 'error');
    return { line: text, isJson, id: id !== undefined && /^["\d-]/.test(id) ? id : undefined, isAnswer };
  } catch (error) {
    if (!(error instanceof InvalidJson)) throw error;
    return { line: text, isJson: false, id: undefined, isAnswer: false };
  }
}
