import { type Ends, MessageBuffer } from '../../jsonrpc/message-buffer.ts';
import { isByteOrderMark, LineEnds } from './sse-lines.ts';

/** Longest id or type kept: an id travels back in a header, which holds no more. */
const MAX_VALUE_BYTES = 1024;
const MAX_NAME_LENGTH = 'retry'.length;
const COLON = 0x3a;
const SPACE = 0x20;
const DATA_LENGTH = 'data:'.length;
const NEW_LINE = Buffer.from('\n');
const NOTHING = Buffer.alloc(0);

export interface SseEvent {
  /** `message` where the server names none. */
  readonly type: string;
  readonly id: string | undefined;
  /** Exactly the bytes of the payload; only its ends where it was above the limit. */
  readonly data: Buffer | Ends;
}

export interface SseReaderOptions {
  /** Longest payload kept, in bytes. */
  readonly limit: number;
  readonly onevent: (event: SseEvent) => void;
  /** The server asks for this pause before a reconnect. */
  readonly onretry: (ms: number) => void;
}

/**
 * Reads server-sent events off bytes. Text decoders and event parsers would build strings of payloads that are
 * only moved on; here a payload is the bytes that came, and one of 100 MB is copied once. What a server may send
 * without end (lines without end, events without end, empty lines) costs no more memory than one payload.
 */
export class SseReader {
  readonly #options: SseReaderOptions;
  readonly #data: MessageBuffer;
  readonly #lines = new LineEnds();
  /** Bytes of a byte order mark that have been read; undefined once something else has. */
  #markLength: number | undefined = 0;
  /** The field of the line that is being read, as far as its name is known. */
  #name = '';
  #isNamed = false;
  #isLineEmpty = true;
  #value: Buffer = NOTHING;
  #isValueBegun = false;
  #isValueTooLong = false;
  /** What the event has had so far. */
  #type = '';
  #id: string | undefined;
  #hasData = false;

  constructor(options: SseReaderOptions) {
    this.#options = options;
    this.#data = new MessageBuffer(() => options.limit);
  }

  /** Bytes of the payload that is being read. */
  get pendingBytes(): number {
    return this.#data.length;
  }

  push(chunk: Buffer): void {
    let at = this.#markLength === undefined ? 0 : this.#skipMark(chunk);
    this.#lines.begin(chunk);
    for (at = this.#lines.skipFeed(at); at < chunk.length; ) {
      const end = this.#lines.endFrom(at);
      if (end > at) this.#readPart(chunk, at, Math.min(end, chunk.length));
      if (end >= chunk.length) break;
      this.#finishLine();
      at = this.#lines.after(end);
    }
    this.#data.settle();
  }

  /** The stream ended in good order; an event whose closing blank line was forgotten still counts. */
  end(): void {
    if (!this.#isLineEmpty) this.#finishLine();
    this.#dispatch();
  }

  #skipMark(chunk: Buffer): number {
    let at = 0;
    while (at < chunk.length && isByteOrderMark(chunk, at, this.#markLength ?? 0)) {
      at++;
      this.#markLength = (this.#markLength ?? 0) + 1;
    }
    if (at < chunk.length) {
      // Half a mark is the beginning of a name nobody knows.
      if (this.#markLength === 1 || this.#markLength === 2) this.#nameIs('\u00ef');
      this.#markLength = undefined;
    }
    return at;
  }

  #readPart(chunk: Buffer, start: number, end: number): void {
    let at = start;
    if (this.#isLineEmpty && end - start >= DATA_LENGTH && isData(chunk, start)) {
      at += DATA_LENGTH;
      this.#nameIs('data');
    }
    this.#isLineEmpty = false;
    while (!this.#isNamed && at < end) {
      const byte = chunk[at++] ?? COLON;
      if (byte === COLON) this.#nameIs(this.#name);
      else if (this.#name.length === MAX_NAME_LENGTH) this.#nameIs('');
      else this.#name += String.fromCharCode(byte);
    }
    if (at === end) return;
    if (!this.#isValueBegun && chunk[at] === SPACE) at++;
    this.#isValueBegun = true;
    if (this.#name === 'data') this.#data.append(chunk.subarray(at, end));
    else if (this.#name !== '') this.#keepValue(chunk.subarray(at, end));
  }

  #nameIs(name: string): void {
    this.#name = name;
    this.#isNamed = true;
    this.#isLineEmpty = false;
    if (name !== 'data') return;
    if (this.#hasData) this.#data.append(NEW_LINE);
    this.#hasData = true;
  }

  #keepValue(piece: Buffer): void {
    const room = MAX_VALUE_BYTES - this.#value.length;
    this.#isValueTooLong ||= piece.length > room;
    const kept = piece.length > room ? piece.subarray(0, room) : piece;
    this.#value = this.#value.length === 0 ? kept : Buffer.concat([this.#value, kept]);
  }

  #finishLine(): void {
    if (this.#isLineEmpty) {
      this.#dispatch();
      return;
    }
    if (!this.#isNamed) this.#nameIs(this.#name);
    this.#applyValue(this.#name, this.#value);
    this.#name = '';
    this.#isNamed = false;
    this.#isLineEmpty = true;
    this.#value = NOTHING;
    this.#isValueBegun = false;
    this.#isValueTooLong = false;
  }

  #applyValue(name: string, value: Buffer): void {
    if (name === 'event') this.#type = value.toString('utf8');
    else if (this.#isValueTooLong) return;
    else if (name === 'id' && !value.includes(0)) this.#id = value.toString('utf8');
    else if (name === 'retry' && /^\d+$/.test(value.toString('latin1'))) {
      this.#options.onretry(Number(value.toString('latin1')));
    }
  }

  #dispatch(): void {
    if (!this.#hasData && this.#id === undefined && this.#type === '') return;
    const [hasData, type, id] = [this.#hasData, this.#type, this.#id];
    this.#hasData = false;
    this.#type = '';
    this.#id = undefined;
    const { ends } = this.#data;
    const whole = this.#data.take();
    if (hasData || id !== undefined) {
      this.#options.onevent({ type: type || 'message', id, data: ends ?? whole });
    }
  }
}

/** What nearly every line begins with; a loop over its letters would take longer than all the rest. */
function isData(bytes: Buffer, at: number): boolean {
  return (
    bytes[at] === 0x64 &&
    bytes[at + 1] === 0x61 &&
    bytes[at + 2] === 0x74 &&
    bytes[at + 3] === 0x61 &&
    bytes[at + 4] === COLON
  );
}
