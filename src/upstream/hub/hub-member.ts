import type { ToolsiftError } from '../../errors.ts';
import type { NotificationFrame } from '../../jsonrpc/frame.ts';
import type { IncomingRequest } from '../../jsonrpc/incoming-request.ts';
import type { Link } from '../../jsonrpc/link.ts';
import { Peer } from '../../jsonrpc/peer.ts';
import { type Control, sendControl } from '../share/control.ts';

export interface HubSessionHandlers {
  readonly onrequest: (session: HubSession, request: IncomingRequest) => void;
  readonly onnotification: (session: HubSession, frame: NotificationFrame) => void;
  readonly onclose: (session: HubSession) => void;
}

/** The hub's end of its conversation with one session. */
export class HubSession {
  readonly peer: Peer;
  /** It has had an answer to `initialize`; before that it is told nothing. */
  isInitialized = false;
  readonly #link: Link;

  constructor(link: Link, handlers: HubSessionHandlers) {
    this.#link = link;
    this.peer = new Peer(link, {
      onrequest: (request) => handlers.onrequest(this, request),
      onnotification: (frame) => handlers.onnotification(this, frame),
      onclose: () => handlers.onclose(this),
      onfault: () => {
        // Sessions are of our own making and write nothing but messages.
      },
    });
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
