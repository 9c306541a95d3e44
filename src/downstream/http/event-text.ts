import { type Chunk, joinChunks } from '../../json/splice.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BREAK = /\r\n|\r|\n/g;
const NEXT_LINE = '\ndata: ';

/** An event of a stream of events that carries a message; where the message breaks its lines, so does the event. */
export function eventOf(id: string, message: readonly Chunk[]): Buffer {
  return joinChunks([`id: ${id}\ndata: `, ...message.map(onDataLines), '\n\n']);
}

/** An event that says nothing but its id, so that a stream can be continued from its beginning. */
export function primingEvent(id: string): string {
  return `id: ${id}\ndata: \n\n`;
}

function onDataLines(chunk: Chunk): Chunk {
  if (typeof chunk === 'string') return /[\r\n]/.test(chunk) ? chunk.replace(BREAK, NEXT_LINE) : chunk;
  if (chunk.indexOf(LINE_FEED) < 0 && chunk.indexOf(CARRIAGE_RETURN) < 0) return chunk;
  // Every byte is a character of its own here, so none is lost.
  return Buffer.from(Buffer.from(chunk).toString('latin1').replace(BREAK, NEXT_LINE), 'latin1');
}
