import { errorText, ToolsiftError } from '../errors.ts';
import { excerpt } from '../foreign-text.ts';
import { describeFault } from '../jsonrpc/describe-fault.ts';
import { forwardRequest } from '../jsonrpc/forward-request.ts';
import { type NotificationFrame, valueAt } from '../jsonrpc/frame.ts';
import type { IncomingRequest } from '../jsonrpc/incoming-request.ts';
import type { Link } from '../jsonrpc/link.ts';
import { Peer } from '../jsonrpc/peer.ts';
import { refuseJunk } from '../jsonrpc/refuse-junk.ts';
import type { Logger } from '../log.ts';
import { INTERNAL_ERROR } from '../mcp/error-codes.ts';
import { CALL_TOOL, INITIALIZE, INITIALIZED } from '../mcp/methods.ts';
import { readInitialize } from './client-handshake.ts';
import { dispatchCall } from './dispatch-call.ts';
import { forwardToOwner } from './routes/forward-to-owner.ts';
import type { Asking, SessionListener, SessionScope } from './session-scope.ts';
import type { UpstreamView } from './upstream-view.ts';
import { serverError } from './wire-error.ts';

export interface TransparentSessionOptions {
  readonly link: Link;
  /** Name of the server. */
  readonly server: string;
  readonly log: Logger;
  /**
   * Gives the session its place, once it is known what the client declares.
   *
   * @param initializeParams the `params` of its `initialize`, if it sent any
   */
  readonly enter: (initializeParams: string | undefined) => Pick<SessionScope, 'upstreams' | 'attach'>;
  readonly onclose: (reason: Error) => void;
}

/**
 * A session in which one upstream answers everything itself, under its own name, with nothing added: what remains of
 * toolsift is the supervision.
 */
export class TransparentSession implements SessionListener {
  /** The state of such a session is the server's own. */
  readonly record = undefined;
  readonly #options: TransparentSessionOptions;
  readonly #peer: Peer;
  #scope: Pick<SessionScope, 'upstreams' | 'attach'> | undefined;

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

  upstreamRequest(request: IncomingRequest, { server, relatedRequest }: Asking): void {
    forwardRequest(request, {
      from: server,
      to: this.#peer,
      relatedRequest,
      onlost: () => request.error(INTERNAL_ERROR, 'the client is gone'),
    });
  }

  upstreamNotification(_server: string, frame: NotificationFrame): void {
    this.#peer.notifyWith(frame);
  }

  async #receive(request: IncomingRequest): Promise<void> {
    const { method } = request.frame;
    const isHandshake = method === INITIALIZE;
    const upstream = this.#upstream(isHandshake ? readInitialize(request.frame).upstreamParams : undefined);
    if (upstream === undefined) this.#fail(request, this.#notConfigured());
    else if (isHandshake) await this.#initialize(request, upstream);
    else if (method === CALL_TOOL) await this.#call(request, upstream);
    else await forwardToOwner({ request, client: this.#peer, upstream });
  }

  async #initialize(request: IncomingRequest, upstream: UpstreamView): Promise<void> {
    try {
      const { initializeResult } = await upstream.acquire();
      request.result(initializeResult);
    } catch (error) {
      this.#fail(request, serverError(upstream.name, error));
    }
  }

  #call(request: IncomingRequest, upstream: UpstreamView): Promise<void> {
    return dispatchCall({
      request,
      client: this.#peer,
      upstream,
      tool: String(valueAt(request.frame, 'params', 'name')),
      onfail: (error) => this.#fail(request, error),
    });
  }

  #fail(request: IncomingRequest, error: ToolsiftError): void {
    request.error(INTERNAL_ERROR, errorText(error), { server: this.#options.server });
  }

  #notified(frame: NotificationFrame): void {
    // The upstream has been told by our own handshake with it.
    if (frame.method !== INITIALIZED) this.#upstream(undefined)?.connection?.notifyWith(frame);
  }

  /** The upstream as configured now: an edit of its entry puts another in its place. */
  #upstream(initializeParams: string | undefined): UpstreamView | undefined {
    if (this.#scope === undefined) {
      this.#scope = this.#options.enter(initializeParams);
      this.#scope.attach(this);
    }
    return this.#scope.upstreams.get(this.#options.server);
  }

  #notConfigured(): ToolsiftError {
    const { server } = this.#options;
    return new ToolsiftError('unknown_server', `server "${server}" is not in toolsift.json any more`);
  }
}
