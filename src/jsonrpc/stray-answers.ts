import { cut } from '../cut.ts';
import { ToolsiftError } from '../errors.ts';
import { INITIALIZE } from '../mcp/methods.ts';
import { idOf, type ResponseFrame, textOf } from './frame.ts';
import type { Outgoing, OutgoingRequests } from './outgoing-requests.ts';

/** How long the one request that a stray answer can be for may still get its own. */
const ONE_GRACE_MS = 250;
/** The same where it can be for several. */
const SEVERAL_GRACE_MS = 3000;
/** Strays looked into at a time; who sends more than that does not mean answers. */
const MAX_PENDING = 16;
const MAX_SHOWN_CHARACTERS = 400;

/**
 * Answers under an id that was never given, or under none, as of a server that lost the id on its way to an error.
 * Whoever waits would wait for ever: where only one request can be meant it is its answer; where several can, those
 * that are not answered otherwise are told.
 */
export class StrayAnswers {
  readonly #requests: OutgoingRequests;
  #pending = 0;

  constructor(requests: OutgoingRequests) {
    this.#requests = requests;
  }

  receive(answer: ResponseFrame): void {
    const meant = this.#requests.all();
    const [only] = meant;
    if (only === undefined || this.#pending === MAX_PENDING) return;
    if (meant.length > 1) this.#later(SEVERAL_GRACE_MS, () => this.#tell(meant, answer));
    else if (only.method === INITIALIZE) this.#tell(meant, answer);
    else this.#later(ONE_GRACE_MS, () => this.#deliver(only, answer));
  }

  #deliver(request: Outgoing, answer: ResponseFrame): void {
    if (!this.#requests.has(request)) return;
    if (answer.result === undefined && answer.error === undefined) this.#tell([request], answer);
    else if (this.#requests.forget(request.number)) request.options.onanswer(answer);
  }

  #tell(requests: readonly Outgoing[], answer: ResponseFrame): void {
    const said = answer.error ?? answer.result;
    const error = strayAnswer(idOf(answer), said === undefined ? '' : textOf(answer, said));
    for (const request of requests) {
      if (this.#requests.has(request) && this.#requests.forget(request.number)) request.options.onlost(error);
    }
  }

  #later(ms: number, act: () => void): void {
    this.#pending++;
    setTimeout(() => {
      this.#pending--;
      act();
    }, ms).unref();
  }
}

/**
 * An answer came that names no request of ours, and this one may be meant.
 *
 * @param said what the answer holds, JSON text
 */
function strayAnswer(id: string, said: string): ToolsiftError {
  const shown = cut(said, MAX_SHOWN_CHARACTERS);
  return new ToolsiftError(
    'upstream_invalid_message',
    `answered under the id ${cut(id, MAX_SHOWN_CHARACTERS)}, which no request has: ${shown}`,
  );
}
