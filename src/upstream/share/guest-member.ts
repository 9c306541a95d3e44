import type { ToolsiftError } from '../../errors.ts';
import { forwardRequest } from '../../jsonrpc/forward-request.ts';
import type { NotificationFrame } from '../../jsonrpc/frame.ts';
import type { IncomingRequest } from '../../jsonrpc/incoming-request.ts';
import type { Link } from '../../jsonrpc/link.ts';
import { Peer } from '../../jsonrpc/peer.ts';
import { INTERNAL_ERROR } from '../../mcp/error-codes.ts';
import type { HubMember } from '../hub/hub.ts';
import { type Control, isControl, sendControl } from './control.ts';

export interface GuestHandlers {
  readonly onrequest: (guest: GuestMember, request: IncomingRequest) => void;
  readonly onnotification: (guest: GuestMember, frame: NotificationFrame) => void;
  readonly onclose: (guest: GuestMember) => void;
}

/** The owner's end of its conversation with one toolsift process that uses the server. */
export class GuestMember implements HubMember {
  readonly peer: Peer;
  readonly #link: Link;

  constructor(link: Link, handlers: GuestHandlers) {
    this.#link = link;
    this.peer = new Peer(link, {
      onrequest: (request) => handlers.onrequest(this, request),
      onnotification: (frame) => handlers.onnotification(this, frame),
      onclose: () => handlers.onclose(this),
      onfault: () => {
        // Guests are of our own making and write nothing but messages.
      },
    });
  }

  asked(request: IncomingRequest, server: Peer, relatedRequest: string | undefined): void {
    forwardRequest(request, {
      from: server,
      to: this.peer,
      relatedRequest,
      onlost: () => request.error(INTERNAL_ERROR, 'the client is gone'),
    });
  }

  told(notification: NotificationFrame): void {
    if (!isControl(notification)) this.peer.notifyWith(notification);
  }

  /** There is no answer to a request, for a reason that is more than a JSON-RPC error can say. */
  lose(request: IncomingRequest, error: ToolsiftError): void {
    if (!request.isOpen) return;
    request.cancel(undefined);
    this.#tell({ kind: 'lost', id: request.id, error });
  }

  end(error: ToolsiftError): void {
    this.#tell({ kind: 'closed', error });
    // After what was just said, which a link within the process delivers in a microtask.
    queueMicrotask(() => void this.peer.close());
  }

  #tell(control: Control): void {
    sendControl(this.#link, control);
  }
}
