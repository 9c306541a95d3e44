import { joinChunks, splice } from '../../json/splice.ts';
import { readFrames, valueAt } from '../../jsonrpc/frame.ts';
import { SET_LOG_LEVEL, SUBSCRIBE, UNSUBSCRIBE } from '../../mcp/methods.ts';

/** What a session has been asked to keep doing, so that the one that takes its place can be asked for the same. */
export class StandingRequests {
  readonly #requests = new Map<string, Buffer>();

  note(method: string, request: Buffer): void {
    if (method === SET_LOG_LEVEL) this.#requests.set('level', request);
    else if (method === SUBSCRIBE) this.#requests.set(resourceOf(request), request);
    else if (method === UNSUBSCRIBE) this.#requests.delete(resourceOf(request));
  }

  /** The requests as they were written, under ids of their own. */
  again(): Buffer[] {
    return [...this.#requests.values()].map((request, index) => withId(request, `"renewal-${index}"`));
  }
}

function resourceOf(request: Buffer): string {
  return readFrames(request)
    .map((frame) => `resource ${JSON.stringify(valueAt(frame, 'params', 'uri'))}`)
    .join();
}

/** The text of a request under another id. */
export function withId(request: Buffer, id: string): Buffer {
  const edits = readFrames(request)
    .filter((frame) => frame.kind === 'request')
    .map((frame) => ({ span: frame.id, text: id }));
  return joinChunks(splice(request, edits));
}
