import { ToolsiftError } from '../../errors.ts';
import type { Chunk } from '../../json/splice.ts';
import type { Link, LinkFault } from '../../jsonrpc/link.ts';
import type { Door } from './door.ts';
import { findOwner, type Place, tidyUp } from './find-owner.ts';
import { ownerEnded, type SessionLink } from './session-link.ts';
import { SharedServer } from './shared-server.ts';

export interface SharedLinkOptions extends Place {
  /** Runs the server in this process, for when no other does. */
  readonly openServer: () => Promise<Link>;
}

/**
 * A link to a server that several toolsift processes of one user share. The first runs it; the others reach it through
 * a local socket. When that process or the server ends, all links close, and the next `start` finds or makes another.
 */
export class SharedLink implements Link {
  onframe: Link['onframe'] = () => {};
  onfault: Link['onfault'] = () => {};
  onclose: Link['onclose'] = () => {};
  readonly #options: SharedLinkOptions;
  #session: SessionLink | undefined;
  #server: SharedServer | undefined;
  #starting: Promise<void> | undefined;

  constructor(options: SharedLinkOptions) {
    this.#options = options;
  }

  /** Whether closing this link would end a server that others are using. */
  get isUsedByOthers(): boolean {
    return this.#server !== undefined && this.#server.sessionCount > 1;
  }

  /** @throws ToolsiftError when the server cannot be started, or whoever runs it does not respond */
  start(): Promise<void> {
    this.#starting = this.#start();
    return this.#starting;
  }

  send(message: readonly Chunk[]): void {
    this.#session?.send(message);
  }

  /** Leaves the server; it stops, bounded in time, if it is this process that runs it. */
  async close(): Promise<void> {
    await this.#starting?.catch(() => {
      // Whoever started it knows, and nothing is left of it.
    });
    await this.#session?.close();
    await this.#server?.end(ownerEnded(process.pid));
  }

  async #start(): Promise<void> {
    const found = await findOwner(this.#options);
    this.#session = found.kind === 'other' ? found.link : await this.#runServer(found.door);
    this.#adopt(this.#session);
  }

  async #runServer(door: Door): Promise<SessionLink> {
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
    if (fault.kind === 'junk') this.onfault(fault);
    if (fault.kind === 'oversize') this.onfault({ ...fault, id: undefined });
  }

  #adopt(session: SessionLink): void {
    if (session.closeReason !== undefined) throw session.closeReason;
    session.onframe = (frame) => this.onframe(frame);
    session.onfault = (fault) => this.onfault(fault);
    session.onclose = (reason) => {
      this.onclose(reason);
      const isOurDoing = !(reason instanceof ToolsiftError);
      // What cannot be removed now will be when somebody looks for the owner.
      if (this.#server === undefined && !isOurDoing) tidyUp(this.#options).catch(() => {});
    };
  }
}
