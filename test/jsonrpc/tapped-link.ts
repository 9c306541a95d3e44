import type { Chunk } from '../../src/json/splice.ts';
import type { Link, LinkFault, LinkHandlers } from '../../src/jsonrpc/link.ts';
import type { About } from '../../src/jsonrpc/message.ts';

/** A link through which a test can also say what went wrong. */
export class TappedLink implements Link {
  readonly #link: Link;
  readonly #startError: Error | undefined;
  #handlers: LinkHandlers | undefined;

  constructor(link: Link, startError?: Error) {
    this.#link = link;
    this.#startError = startError;
  }

  async start(handlers: LinkHandlers): Promise<void> {
    if (this.#startError !== undefined) throw this.#startError;
    this.#handlers = handlers;
    await this.#link.start(handlers);
  }

  send(message: readonly Chunk[], about: About): void {
    this.#link.send(message, about);
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  fail(fault: LinkFault): void {
    this.#handlers?.onfault(fault);
  }

  end(reason: Error): void {
    this.#handlers?.onclose(reason);
  }
}
