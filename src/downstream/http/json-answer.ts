import type { ServerResponse } from 'node:http';
import { type Chunk, joinChunks } from '../../json/splice.ts';

/** Below this an answer is copied into one piece; above, copying costs more than it saves. */
const ONE_WRITE_BYTES = 64 * 1024;
/** A reader that takes nothing for so long is taken to be gone. */
const STALL_MS = 60_000;

/** Answers with JSON text as it is. */
export function sendJson(response: ServerResponse, status: number, text: readonly Chunk[]): void {
  const bytes = text.reduce(
    (sum, chunk) => sum + (typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length),
    0,
  );
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes });
  if (bytes < ONE_WRITE_BYTES) {
    response.end(joinChunks(text));
    return;
  }
  response.setTimeout(STALL_MS, () => response.destroy());
  for (const chunk of text) response.write(chunk);
  response.end();
}
