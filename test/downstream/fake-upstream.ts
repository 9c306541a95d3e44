import type { CallLimits, ConnectionView, UpstreamView } from '../../src/downstream/upstream-view.ts';
import { type ErrorCode, ToolsiftError } from '../../src/errors.ts';
import type { NotificationFrame } from '../../src/jsonrpc/frame.ts';
import type { IncomingRequest } from '../../src/jsonrpc/incoming-request.ts';
import type { Peer } from '../../src/jsonrpc/peer.ts';
import { SessionConnection } from '../../src/proxy/session-connection.ts';
import { Hub } from '../../src/upstream/hub/hub.ts';
import { listAll } from '../../src/upstream/lists/list-all.ts';
import { ListBudget } from '../../src/upstream/lists/list-budget.ts';
import { peerOn } from '../jsonrpc/messages.ts';
import { FakeServer, type FakeServerOptions } from '../upstream/fake-server.ts';

export interface FakeUpstreamOptions extends FakeServerOptions {
  readonly state?: string;
  readonly reason?: string;
  readonly limits?: CallLimits;
  /** Names of its capabilities. */
  readonly has?: readonly string[];
  readonly initializeResult?: string;
}

const AMPLE = { maxListBytes: 1_000_000, maxListItems: 10_000 };

/** An upstream as the downstream side sees it, with a server within the test behind it. */
export class FakeUpstream implements UpstreamView {
  readonly name: string;
  readonly server: FakeServer;
  readonly limits: CallLimits;
  status: { state: string; reason?: string; since: number };
  connection: ConnectionView | undefined;
  peer: Peer | undefined;
  readonly initializeResult: string;
  /** What `acquire` fails with while there is no connection. */
  failure = new ToolsiftError('upstream_exited', 'exited with code 1');
  onrequest: (request: IncomingRequest) => void = () => {};
  onnotification: (frame: NotificationFrame) => void = () => {};
  starts = 0;
  readonly #has: readonly string[];

  constructor(name: string, options: FakeUpstreamOptions = {}) {
    const { state = 'ready', reason, limits = {}, has = ['tools'], initializeResult = '{}' } = options;
    this.name = name;
    this.server = new FakeServer(options);
    this.limits = limits;
    this.initializeResult = initializeResult;
    this.status = { state, since: 1, ...(reason === undefined ? {} : { reason }) };
    this.#has = has;
    if (state === 'ready') this.start();
  }

  start(): ConnectionView {
    this.starts++;
    const peer = peerOn(this.server.link, {
      onrequest: (request) => this.onrequest(request),
      onnotification: (frame) => this.onnotification(frame),
      onclose: () => {
        this.connection = undefined;
        this.peer = undefined;
      },
      onfault: () => {},
    });
    this.peer = peer;
    const member = { asked: () => {}, told: () => {} };
    const connection = {
      peer,
      hub: new Hub(peer, new Set([member])),
      capabilities: new Set(this.#has),
      initializeParams: '{}',
      initializeResult: this.initializeResult,
      isUsedByOthers: false,
      listAll: (method: string, key: string) => listAll(peer, method, key, { budget: new ListBudget(AMPLE) }),
      close: () => peer.close(),
    };
    this.connection = new SessionConnection(connection, member);
    this.status = { state: 'ready', since: 2 };
    return this.connection;
  }

  acquire(): ConnectionView | Promise<ConnectionView> {
    if (this.connection !== undefined) return this.connection;
    return this.status.state === 'idle' ? Promise.resolve(this.start()) : Promise.reject(this.failure);
  }

  async untilListsRead(): Promise<void> {}

  failWith(code: ErrorCode, message: string): this {
    this.failure = new ToolsiftError(code, message);
    return this;
  }
}

export function viewsOf(...upstreams: FakeUpstream[]): Map<string, FakeUpstream> {
  return new Map(upstreams.map((upstream) => [upstream.name, upstream]));
}
