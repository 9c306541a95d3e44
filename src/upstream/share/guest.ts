import type { Chunk } from '../../json/splice.ts';
import type { Link, LinkHandlers } from '../../jsonrpc/link.ts';
import type { About } from '../../jsonrpc/message.ts';

/** Somebody at the door: is heard from the beginning, so that its leaving is noticed, but counts once it is let in. */
export class Guest implements Link {
  readonly #link: Link;
  #handlers: LinkHandlers | undefined;

  constructor(link: Link) {
    this.#link = link;
    void link.start({
      onframe: (frame) => this.#handlers?.onframe(frame),
      onfault: (fault) => this.#handlers?.onfault(fault),
      onclose: (reason) => this.#handlers?.onclose(reason),
    });
  }

  async start(handlers: LinkHandlers): Promise<void> {
    this.#handlers = handlers;
  }

  send(message: readonly Chunk[], about: About): void {
    this.#link.send(message, about);
  }

  close(): Promise<void> {
    return this.#link.close();
  }
}
