import { errorText } from '../errors.ts';
import { excerpt } from '../foreign-text.ts';
import { describeFault } from '../jsonrpc/describe-fault.ts';
import { forwardRequest } from '../jsonrpc/forward-request.ts';
import type { NotificationFrame } from '../jsonrpc/frame.ts';
import type { IncomingRequest } from '../jsonrpc/incoming-request.ts';
import type { Link } from '../jsonrpc/link.ts';
import { Peer } from '../jsonrpc/peer.ts';
import { refuseJunk } from '../jsonrpc/refuse-junk.ts';
import type { Logger } from '../log.ts';
import { INTERNAL_ERROR } from '../mcp/error-codes.ts';
import { INITIALIZE, INITIALIZED } from '../mcp/methods.ts';
import { readHello } from './client-handshake.ts';
import { forwardToOwner } from './routes/forward-to-owner.ts';
import type { Session } from './session.ts';
import type { UpstreamSession, UpstreamView } from './upstream-view.ts';
import { serverError } from './wire-error.ts';

interface GreetingSession extends UpstreamSession {
  readonly initializeResult: string;
}

/** An upstream whose own greeting is handed on. */
interface TransparentUpstream extends UpstreamView {
  acquire(): GreetingSession | Promise<GreetingSession>;
}

export interface TransparentSessionOptions {
  readonly link: Link;
  /** The upstream as configured now. */
  readonly upstream: () => TransparentUpstream;
  readonly log: Logger;
  /** The `params` of the client's `initialize`, which the upstream gets. */
  readonly onparams: (params: string) => void;
  readonly onclose: (reason: Error) => void;
}

/**
 * A conversation in which one upstream answers everything itself, under its own name, with nothing added: what
 * remains of toolsift is the supervision.
 */
export class TransparentSession implements Session {
  readonly #options: TransparentSessionOptions;
  readonly #peer: Peer;

  constructor(options: TransparentSessionOptions) {
    this.#options = options;
    this.#peer = new Peer(options.link, {
      onrequest: (request) => void this.#receive(request),
      onnotification: (frame) => this.#notified(frame),
      onclose: options.onclose,
      onfault: (fault) => {
        options.log.warn(`the client ${describeFault(fault, excerpt)}`);
        refuseJunk(this.#peer, fault);
      },
    });
  }

  start(): Promise<void> {
    return this.#peer.start();
  }

  // The client gets the upstream's own lists and its own notices of changes.
  catalogChanged(): void {}
  configChanged(): void {}
  statusChanged(): void {}
  upstreamReady(): void {}

  upstreamRequest(request: IncomingRequest, upstream: Peer): void {
    forwardRequest(request, {
      from: upstream,
      to: this.#peer,
      onlost: () => request.error(INTERNAL_ERROR, 'the client is gone'),
    });
  }

  upstreamNotification(_server: string, frame: NotificationFrame): void {
    this.#peer.notifyWith(frame);
  }

  async #receive(request: IncomingRequest): Promise<void> {
    const upstream = this.#options.upstream();
    if (request.frame.method !== INITIALIZE) {
      await forwardToOwner({ request, client: this.#peer, upstream });
      return;
    }
    const { upstreamParams } = readHello(request.frame);
    if (upstreamParams !== undefined) this.#options.onparams(upstreamParams);
    try {
      const { initializeResult } = await upstream.acquire();
      request.result(initializeResult);
    } catch (error) {
      request.error(INTERNAL_ERROR, errorText(serverError(upstream.name, error)), { server: upstream.name });
    }
  }

  #notified(frame: NotificationFrame): void {
    // The upstream has been told by our own handshake with it.
    if (frame.method !== INITIALIZED) this.#options.upstream().connection?.peer.notifyWith(frame);
  }
}
