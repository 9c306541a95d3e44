import type { ToolsiftError } from '../errors.ts';
import type { SendOptions } from './outgoing-request.ts';

/** A request that is out: by which id and which token the other side speaks of it. */
export interface Outgoing {
  readonly number: string;
  readonly id: string;
  readonly token: string;
  readonly method: string;
  readonly options: SendOptions;
}

/** The requests of one peer that wait for their answers, under ids that are never used again. */
export class OutgoingRequests {
  readonly #open = new Map<string, Outgoing>();
  #lastNumber = 0;

  get size(): number {
    return this.#open.size;
  }

  /** How many there have been. */
  get count(): number {
    return this.#lastNumber;
  }

  nextNumber(): string {
    return String(++this.#lastNumber);
  }

  add(request: Outgoing): void {
    this.#open.set(request.number, request);
  }

  /** @returns whether it was still waiting */
  forget(number: string): boolean {
    const request = this.#open.get(number);
    if (request === undefined) return false;
    this.#open.delete(number);
    request.options.onover?.();
    return true;
  }

  has(request: Outgoing): boolean {
    return this.#open.get(request.number) === request;
  }

  all(): Outgoing[] {
    return [...this.#open.values()];
  }

  /** The request that an answer with this id is for; there is no second answer to it. */
  take(id: string): Outgoing | undefined {
    const number = numberIn(id);
    const request = this.#open.get(number);
    if (request?.id !== id) return undefined;
    this.#open.delete(number);
    request.options.onover?.();
    return request;
  }

  withToken(token: string): Outgoing | undefined {
    const request = this.#open.get(numberIn(token));
    return request?.token === token ? request : undefined;
  }

  /** Whether an answer with this id is a late or a second one, to a request that waits no more. */
  wasTaken(id: string): boolean {
    const number = numberIn(id);
    return /^[1-9]\d{0,15}$/.test(number) && Number(number) <= this.#lastNumber && !this.#open.has(number);
  }

  loseAll(reason: ToolsiftError): void {
    const lost = this.all();
    this.#open.clear();
    for (const { options } of lost) {
      options.onover?.();
      options.onlost(reason);
    }
  }
}

/** The number of a request in its id or token, which may be a JSON string. */
function numberIn(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1) : text;
}
