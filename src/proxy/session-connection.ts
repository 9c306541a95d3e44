import type { ConnectionView, Forwarding } from '../downstream/upstream-view.ts';
import type { NotificationFrame, ResponseFrame } from '../jsonrpc/frame.ts';
import type { IncomingRequest } from '../jsonrpc/incoming-request.ts';
import type { OutgoingRequest } from '../jsonrpc/outgoing-request.ts';
import type { Connection } from '../upstream/connection.ts';
import type { HubMember } from '../upstream/hub/hub.ts';

/** A connection as one session has it: what it sends is known to be its own. */
export class SessionConnection implements ConnectionView {
  readonly #connection: Connection;
  readonly #member: HubMember;

  constructor(connection: Connection, member: HubMember) {
    this.#connection = connection;
    this.#member = member;
  }

  get capabilities(): ReadonlySet<string> {
    return this.#connection.capabilities;
  }

  get initializeResult(): string {
    return this.#connection.initializeResult;
  }

  forward(request: IncomingRequest, options: Forwarding): OutgoingRequest {
    return this.#connection.hub.forward(this.#member, request, options);
  }

  request(method: string, params?: string, signal?: AbortSignal): Promise<ResponseFrame> {
    return this.#connection.hub.request(this.#member, method, params, signal);
  }

  notifyWith(frame: NotificationFrame): void {
    this.#connection.peer.notifyWith(frame);
  }

  setLogLevel(params: string): void {
    this.#connection.hub.setLevel(this.#member, params);
  }

  subscribe(uri: string): void {
    this.#connection.hub.subscribe(this.#member, uri);
  }

  taskMade(taskId: string): void {
    this.#connection.hub.taskMade(this.#member, taskId);
  }

  listAll(method: string, key: string): Promise<string[]> {
    return this.#connection.listAll(method, key);
  }
}
