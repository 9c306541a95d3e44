import type { IncomingMessage } from 'node:http';

/** A body that is too large is not waited for any longer, once its sender has been told. */
const LINGER_MS = 2000;

export type Body =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'too-large' }
  /** The client left in the middle of it. */
  | { readonly kind: 'broken' };

/** Reads a body up to a limit; of one that is larger no more is kept. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes)
    return Promise.resolve({ kind: 'too-large' });
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else {
        chunks = [];
        resolve({ kind: 'too-large' });
      }
    });
    request.once('end', () => {
      const [only] = chunks;
      resolve({
        kind: 'whole',
        bytes: only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks),
      });
    });
    request.once('close', () => resolve({ kind: 'broken' }));
    request.once('error', () => resolve({ kind: 'broken' }));
  });
}

/** Lets a client read our refusal before the connection goes, whose rest nobody wants. */
export function leaveSoon(request: IncomingMessage): void {
  request.resume();
  const timer = setTimeout(() => request.socket.destroy(), LINGER_MS).unref();
  request.socket.once('close', () => clearTimeout(timer));
}
