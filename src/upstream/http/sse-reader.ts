/** How much of each end of an oversized event is kept, to find the id of the message in it. */
const KEPT_BYTES = 512;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const NEW_LINE = Buffer.from('\n');

export interface SseEvent {
  /** `message` where the server names none. */
  readonly type: string;
  readonly id: string | undefined;
  /** Exactly the bytes of the payload. */
  readonly data: Buffer;
}

export interface SseReaderOptions {
  /** Longest payload kept, in bytes. */
  readonly limit: number;
  readonly onevent: (event: SseEvent) => void;
  /** The server asks for this pause before a reconnect. */
  readonly onretry: (ms: number) => void;
  /** A longer payload, once its line has ended: its length, its first and its last bytes. */
  readonly onoversize: (length: number, head: Buffer, tail: Buffer) => void;
}

/**
 * Reads server-sent events off bytes. Text decoders and event parsers would build strings of payloads that are
 * only moved on; here a payload is the bytes that came, and one of 100 MB is copied once.
 */
export class SseReader {
  readonly #options: SseReaderOptions;
  #isFirst = true;
  #chunks: Buffer[] = [];
  #length = 0;
  #head: Buffer | undefined;
  #endedWithReturn = false;
  #type = '';
  #id: string | undefined;
  #data: Buffer[] = [];
  #dataLength = 0;

  constructor(options: SseReaderOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    if (this.#endedWithReturn && rest[0] === LINE_FEED) rest = rest.subarray(1);
    if (chunk.length > 0) this.#endedWithReturn = false;
    while (rest.length > 0) {
      const end = lineEnd(rest);
      if (end < 0) {
        this.#take(rest);
        return;
      }
      this.#take(rest.subarray(0, end));
      this.#finishLine();
      const isReturn = rest[end] === CARRIAGE_RETURN;
      this.#endedWithReturn = isReturn && end + 1 === rest.length;
      rest = rest.subarray(isReturn && rest[end + 1] === LINE_FEED ? end + 2 : end + 1);
    }
  }

  /** The stream ended in good order; an event whose closing blank line was forgotten still counts. */
  end(): void {
    if (this.#length > 0) this.#finishLine();
    this.#dispatch();
  }

  #take(piece: Buffer): void {
    this.#length += piece.length;
    this.#chunks.push(piece);
    if (this.#length + this.#dataLength <= this.#options.limit + KEPT_BYTES) return;
    const joined = Buffer.concat(this.#chunks);
    this.#head ??= Buffer.from(joined.subarray(0, KEPT_BYTES));
    this.#chunks = [Buffer.from(joined.subarray(-KEPT_BYTES))];
  }

  #finishLine(): void {
    let line = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    const length = this.#length;
    const head = this.#head;
    this.#chunks = [];
    this.#length = 0;
    this.#head = undefined;
    if (this.#isFirst && line.subarray(0, 3).equals(BYTE_ORDER_MARK)) line = line.subarray(3);
    this.#isFirst = false;
    if (head !== undefined) {
      this.#data = [];
      this.#options.onoversize(length, fieldValue(head), line);
    } else if (line.length === 0) this.#dispatch();
    else this.#field(line);
  }

  #field(line: Buffer): void {
    const colon = line.indexOf(COLON);
    const name = line.toString('latin1', 0, colon < 0 ? line.length : colon);
    const value = colon < 0 ? Buffer.alloc(0) : fieldValue(line);
    switch (name) {
      case 'data':
        this.#data.push(value);
        this.#dataLength += value.length;
        break;
      case 'event':
        this.#type = value.toString('utf8');
        break;
      case 'id':
        if (!value.includes(0)) this.#id = value.toString('utf8');
        break;
      case 'retry':
        if (/^\d+$/.test(value.toString('latin1'))) this.#options.onretry(Number(value.toString('latin1')));
        break;
      default:
        // A comment, or a field nobody knows.
        break;
    }
  }

  #dispatch(): void {
    const [data, type, id] = [this.#data, this.#type, this.#id];
    this.#data = [];
    this.#dataLength = 0;
    this.#type = '';
    this.#id = undefined;
    if (data.length === 0 && id === undefined) return;
    this.#options.onevent({ type: type || 'message', id, data: joinLines(data) });
  }
}

function lineEnd(bytes: Buffer): number {
  const feed = bytes.indexOf(LINE_FEED);
  const before = feed < 0 ? bytes : bytes.subarray(0, feed);
  const carriageReturn = before.indexOf(CARRIAGE_RETURN);
  return carriageReturn < 0 ? feed : carriageReturn;
}

function fieldValue(line: Buffer): Buffer {
  const colon = line.indexOf(COLON);
  return line.subarray(line[colon + 1] === SPACE ? colon + 2 : colon + 1);
}

function joinLines(lines: readonly Buffer[]): Buffer {
  if (lines.length === 1) return lines[0] as Buffer;
  return Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [NEW_LINE, line])));
}
