import { ToolsiftError } from '../../errors.ts';
import type { Chunk } from '../../json/splice.ts';
import type { Link, LinkFault, LinkHandlers } from '../../jsonrpc/link.ts';
import type { About } from '../../jsonrpc/message.ts';
import type { ServerLink } from '../link-options.ts';
import type { Door } from './door.ts';
import { findOwner, type Place, tidyUp } from './find-owner.ts';
import { type OwnerLink, ownerEnded } from './owner-link.ts';
import { SharedServer } from './shared-server.ts';

export interface SharedLinkOptions extends Place {
  /** Runs the server in this process, for when no other does. */
  readonly openServer: () => Promise<Link>;
}

/**
 * A link to a server that several toolsift processes of one user share. The first runs it; the others reach it through
 * a local socket. When that process or the server ends, all links close, and the next `start` finds or makes another.
 */
export class SharedLink implements ServerLink {
  readonly #options: SharedLinkOptions;
  #handlers: LinkHandlers | undefined;
  #session: OwnerLink | undefined;
  #server: SharedServer | undefined;
  #starting: Promise<void> | undefined;

  constructor(options: SharedLinkOptions) {
    this.#options = options;
  }

  /** Whether closing this link would end a server that others are using. */
  get isUsedByOthers(): boolean {
    return this.#server !== undefined && this.#server.guestCount > 1;
  }

  /** @throws ToolsiftError when the server cannot be started, or whoever runs it does not respond */
  start(handlers: LinkHandlers): Promise<void> {
    this.#handlers = handlers;
    this.#starting = this.#start(handlers);
    return this.#starting;
  }

  send(message: readonly Chunk[], about: About): void {
    this.#session?.send(message, about);
  }

  /** Leaves the server; it stops, bounded in time, if it is this process that runs it. */
  async close(): Promise<void> {
    await this.#starting?.catch(() => {
      // Whoever started it knows, and nothing is left of it.
    });
    await this.#session?.close();
    await this.#server?.end(ownerEnded(process.pid));
  }

  async #start(handlers: LinkHandlers): Promise<void> {
    const found = await findOwner(this.#options);
    this.#session = found.kind === 'other' ? found.link : await this.#runServer(found.door);
    await this.#session.start({ ...handlers, onclose: (reason) => this.#closed(reason, handlers) });
  }

  async #runServer(door: Door): Promise<OwnerLink> {
    let server: SharedServer | undefined;
    try {
      const link = await this.#options.openServer();
      server = new SharedServer({ door, link, onfault: (fault) => this.#fault(fault) });
      await server.start();
      this.#server = server;
      return server.attach();
    } catch (error) {
      await (server?.end(ownerEnded(process.pid)) ?? door.close());
      throw error;
    }
  }

  /** For the log alone: ids in it are those between the hub and the server, and the hub has dealt with them. */
  #fault(fault: LinkFault): void {
    if (fault.kind === 'junk') this.#handlers?.onfault(fault);
    if (fault.kind === 'oversize') this.#handlers?.onfault({ ...fault, id: undefined });
  }

  #closed(reason: Error, { onclose }: LinkHandlers): void {
    onclose(reason);
    const isOurDoing = !(reason instanceof ToolsiftError);
    // What cannot be removed now will be when somebody looks for the owner.
    if (this.#server === undefined && !isOurDoing) tidyUp(this.#options).catch(() => {});
  }
}
