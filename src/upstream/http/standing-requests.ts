import type { Span } from '../../json/scan.ts';
import { joinChunks, splice } from '../../json/splice.ts';
import { type Frame, memberOf, membersOf, textOf } from '../../jsonrpc/frame.ts';

/** What a session has been asked to keep doing, so that the one that takes its place can be asked for the same. */
export class StandingRequests {
  readonly #requests = new Map<string, Frame>();

  note(request: Frame): void {
    const uri = memberOf(membersOf(request, request.params), 'uri');
    const resource = uri === undefined ? '' : textOf(request, uri);
    if (request.method === 'logging/setLevel') this.#requests.set('level', request);
    else if (request.method === 'resources/subscribe') this.#requests.set(resource, request);
    else if (request.method === 'resources/unsubscribe') this.#requests.delete(resource);
  }

  /** The requests as they were written, under ids of their own. */
  again(): Buffer[] {
    return [...this.#requests.values()].map((request, index) => withId(request, `"renewal-${index}"`));
  }
}

/** The text of a request under another id. */
export function withId({ bytes, id }: Frame, text: string): Buffer {
  return joinChunks(splice(bytes, [{ span: id as Span, text }]));
}
