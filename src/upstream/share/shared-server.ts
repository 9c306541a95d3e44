import type { ToolsiftError } from '../../errors.ts';
import type { Link, LinkFault } from '../../jsonrpc/link.ts';
import { createLinkedLinks } from '../../jsonrpc/linked-links.ts';
import { Hub } from '../hub/hub.ts';
import type { Door } from './door.ts';
import { SessionLink } from './session-link.ts';

export interface SharedServerOptions {
  readonly door: Door;
  /** The link that runs the server. */
  readonly link: Link;
  /** Something the server wrote that belongs to no session. */
  readonly onfault: (fault: LinkFault) => void;
}

/** A server that this process runs for itself and for whoever comes in through the door. */
export class SharedServer {
  readonly #door: Door;
  readonly #hub: Hub;
  #ending: Promise<void> | undefined;

  constructor({ door, link, onfault }: SharedServerOptions) {
    this.#door = door;
    this.#hub = new Hub({ link, onfault, onclose: (reason) => void this.end(reason) });
    door.onguest = (guest) => this.#hub.attach(guest);
  }

  /** @throws what the link throws when the server cannot be started; nothing is left then */
  async start(): Promise<void> {
    await this.#hub.start();
    this.#door.declare('open');
  }

  get sessionCount(): number {
    return this.#hub.sessionCount;
  }

  /** The session of this process itself. */
  attach(): SessionLink {
    const [ours, theirs] = createLinkedLinks();
    const session = new SessionLink(ours);
    void session.listen();
    this.#hub.attach(theirs);
    return session;
  }

  /** Ends all sessions with that reason, and stops the server; bounded. Until it is stopped, nobody starts another. */
  end(reason: ToolsiftError): Promise<void> {
    this.#ending ??= this.#end(reason);
    return this.#ending;
  }

  async #end(reason: ToolsiftError): Promise<void> {
    this.#door.declare('busy');
    await this.#hub.end(reason);
    await this.#door.close();
  }
}
