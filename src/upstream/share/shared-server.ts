import { asExit, type ToolsiftError } from '../../errors.ts';
import { at, type NotificationFrame, type ResponseFrame, textOf, valueAt } from '../../jsonrpc/frame.ts';
import type { IncomingRequest } from '../../jsonrpc/incoming-request.ts';
import type { Link, LinkFault } from '../../jsonrpc/link.ts';
import { createLinkedLinks } from '../../jsonrpc/linked-links.ts';
import { Peer } from '../../jsonrpc/peer.ts';
import { INVALID_REQUEST } from '../../mcp/error-codes.ts';
import { INITIALIZE, INITIALIZED, PING } from '../../mcp/methods.ts';
import { Hub } from '../hub/hub.ts';
import type { Door } from './door.ts';
import { GuestMember } from './guest-member.ts';
import { OwnerLink } from './owner-link.ts';

export interface SharedServerOptions {
  readonly door: Door;
  /** The link that runs the server. */
  readonly link: Link;
  /** Something the server wrote that belongs to no guest. */
  readonly onfault: (fault: LinkFault) => void;
}

/** A server that this process runs for itself and for whoever comes in through the door. */
export class SharedServer {
  readonly #door: Door;
  readonly #server: Peer;
  readonly #hub: Hub<GuestMember>;
  /** All who came in, in that order. */
  readonly #guests = new Set<GuestMember>();
  /** Those who have had an answer to `initialize`; before that nobody is told anything. */
  readonly #members = new Set<GuestMember>();
  #handshake: Promise<ResponseFrame> | undefined;
  #saidInitialized = false;
  #ending: Promise<void> | undefined;

  constructor({ door, link, onfault }: SharedServerOptions) {
    this.#door = door;
    this.#server = new Peer(link, {
      onrequest: (request) => {
        if (request.frame.method === PING) request.result('{}');
        else this.#hub.asked(request);
      },
      onnotification: (frame) => this.#hub.told(frame),
      onfault,
      onclose: (reason) => void this.end(asExit(reason)),
    });
    this.#hub = new Hub(this.#server, this.#members);
    door.onguest = (guest) => this.#admit(guest);
  }

  /** @throws what the link throws when the server cannot be started; nothing is left then */
  async start(): Promise<void> {
    await this.#server.start();
    this.#door.declare('open');
  }

  get guestCount(): number {
    return this.#guests.size;
  }

  /** This process itself as a guest. */
  attach(): OwnerLink {
    const [ours, theirs] = createLinkedLinks();
    const session = new OwnerLink(ours);
    void session.listen();
    this.#admit(theirs);
    return session;
  }

  /** Ends it for all guests with that reason, and stops the server; bounded. Until it is stopped, nobody starts another. */
  end(reason: ToolsiftError): Promise<void> {
    this.#ending ??= this.#end(reason);
    return this.#ending;
  }

  async #end(reason: ToolsiftError): Promise<void> {
    this.#door.declare('busy');
    for (const guest of this.#guests) guest.end(reason);
    await this.#server.close();
    await this.#door.close();
  }

  #admit(link: Link): void {
    const guest = new GuestMember(link, {
      onrequest: (_, request) => this.#receive(guest, request),
      onnotification: (_, frame) => this.#notified(frame),
      onclose: () => this.#leave(guest),
    });
    this.#guests.add(guest);
    void guest.peer.start();
  }

  #leave(guest: GuestMember): void {
    this.#guests.delete(guest);
    this.#members.delete(guest);
    this.#hub.left(guest);
  }

  #receive(guest: GuestMember, request: IncomingRequest): void {
    if (request.frame.method === INITIALIZE) void this.#initialize(guest, request);
    else if (!this.#members.has(guest)) request.error(INVALID_REQUEST, 'initialize comes first');
    else this.#forward(guest, request);
  }

  /** The server is initialized once; all guests declare the same, or they would not have met here. */
  async #initialize(guest: GuestMember, request: IncomingRequest): Promise<void> {
    const { frame } = request;
    this.#handshake ??= this.#server.request(
      INITIALIZE,
      frame.params === undefined ? undefined : textOf(frame, frame.params),
    );
    try {
      const answer = await this.#handshake;
      if (answer.result !== undefined && this.#guests.has(guest)) this.#members.add(guest);
      request.answerWith(answer);
    } catch (error) {
      guest.lose(request, asExit(error instanceof Error ? error : new Error(String(error))));
    }
  }

  #notified(frame: NotificationFrame): void {
    if (frame.method === INITIALIZED) {
      if (this.#saidInitialized) return;
      this.#saidInitialized = true;
    }
    this.#server.notifyWith(frame);
  }

  #forward(guest: GuestMember, request: IncomingRequest): void {
    const { frame } = request;
    this.#hub.forward(guest, request, {
      from: guest.peer,
      onanswer: (answer) => {
        if (at(frame, 'params', 'task') === undefined) return;
        const task = valueAt(answer, 'result', 'task', 'taskId');
        if (typeof task === 'string') this.#hub.taskMade(guest, task);
      },
      onlost: (reason) => guest.lose(request, reason),
    });
  }
}
