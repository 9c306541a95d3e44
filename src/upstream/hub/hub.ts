import { type ForwardOptions, forwardRequest } from '../../jsonrpc/forward-request.ts';
import { at, type NotificationFrame, parsePart, type ResponseFrame, valueAt } from '../../jsonrpc/frame.ts';
import type { IncomingRequest } from '../../jsonrpc/incoming-request.ts';
import type { OutgoingRequest } from '../../jsonrpc/outgoing-request.ts';
import type { Peer } from '../../jsonrpc/peer.ts';
import { METHOD_NOT_FOUND } from '../../mcp/error-codes.ts';
import {
  LOG_MESSAGE,
  RESOURCE_UPDATED,
  SET_LOG_LEVEL,
  SUBSCRIBE,
  TASK_STATUS,
  UNSUBSCRIBE,
} from '../../mcp/methods.ts';
import { Callers } from './callers.ts';
import { LogLevels } from './log-levels.ts';
import { Subscriptions } from './subscriptions.ts';

const DONE_TEXT = '{"jsonrpc":"2.0","id":0,"result":{}}';
/** An answer that says no more than that something was done. */
const DONE: ResponseFrame = {
  kind: 'response',
  bytes: Buffer.from(DONE_TEXT),
  id: { start: DONE_TEXT.indexOf('0,'), end: DONE_TEXT.indexOf(',"result"') },
  result: { start: DONE_TEXT.indexOf('{}'), end: DONE_TEXT.length - 1 },
  error: undefined,
};

/** One of those who use a server together. */
export interface HubMember {
  /**
   * The server asks something that concerns this member.
   *
   * @param relatedRequest the member's request in whose course it asks, where that is known; its id as the member gave it
   */
  asked(request: IncomingRequest, server: Peer, relatedRequest: string | undefined): void;
  told(notification: NotificationFrame): void;
}

/** How a member's request goes on to the server. */
export type Forwarding = Omit<ForwardOptions, 'to' | 'relatedRequest' | 'onover'>;

/**
 * One server, many members: to the server they are one client, to each member the server is its own. All send over
 * one peer, which keeps their requests apart; what a hub adds is whom that concerns which comes from the server.
 */
export class Hub<Member extends HubMember = HubMember> {
  readonly #server: Peer;
  /** In the order they came. */
  readonly #members: ReadonlySet<Member>;
  readonly #callers = new Callers<Member>();
  readonly #subscriptions = new Subscriptions<Member>();
  readonly #logLevels = new LogLevels<Member>();

  /** @param members those who are there now; whoever adds and removes them says so by `left` */
  constructor(server: Peer, members: ReadonlySet<Member>) {
    this.#server = server;
    this.#members = members;
  }

  /** Sends a request of a member on to the server. */
  forward(member: Member, request: IncomingRequest, options: Forwarding): OutgoingRequest {
    switch (request.frame.method) {
      case SET_LOG_LEVEL:
        return this.#forwardLevel(member, request, options);
      case SUBSCRIBE:
        return this.#forwardSubscribe(member, request, options);
      case UNSUBSCRIBE:
        return this.#forwardUnsubscribe(member, request, options);
      default:
        return this.#forward(member, request, options);
    }
  }

  /** A request that is made on behalf of a member. */
  async request(
    member: Member,
    method: string,
    params?: string,
    signal?: AbortSignal,
  ): Promise<ResponseFrame> {
    const over = this.#callers.opened(member, '', method);
    return this.#server.request(method, params, signal).finally(over);
  }

  /**
   * Tells the server the level a member wants, or a more verbose one that another wants.
   *
   * @param params those of its `logging/setLevel`, JSON text
   */
  setLevel(member: Member, params: string): void {
    const wanted = levelIn(params);
    const level = this.#logLevels.set(member, wanted);
    const text = level === undefined || level === wanted ? params : JSON.stringify({ level });
    // Whether it takes the level is its own affair; there is nobody to report a refusal to.
    this.#server.request(SET_LOG_LEVEL, text).catch(() => {});
  }

  /** Subscribes for a member that had subscribed before. */
  subscribe(member: Member, uri: string): void {
    this.#subscriptions.add(uri, member);
    // A refusal changes nothing: the client learns of the resource when it reads it.
    this.#server.request(SUBSCRIBE, JSON.stringify({ uri })).catch(() => {});
  }

  taskMade(member: Member, taskId: string): void {
    this.#callers.taskMade(member, taskId);
  }

  /** A member is gone: what the server did for it alone is taken back. */
  left(member: Member): void {
    this.#callers.left(member);
    const uris = this.#subscriptions.left(member);
    const level = this.#logLevels.left(member);
    // Where the server is gone too, nobody has to be told.
    for (const uri of uris) this.#server.request(UNSUBSCRIBE, JSON.stringify({ uri })).catch(() => {});
    if (level !== undefined) this.#server.request(SET_LOG_LEVEL, `{"level":"${level}"}`).catch(() => {});
  }

  /** Hands what the server asks to the member whose call it is about, else to the one that came first. */
  asked(request: IncomingRequest): void {
    const call = this.#callers.callOf(request.frame);
    const [first] = this.#members;
    const member = call?.member ?? first;
    if (member === undefined) request.error(METHOD_NOT_FOUND, 'Method not found: there is no client to ask');
    else member.asked(request, this.#server, call?.request?.id);
  }

  /** Hands what the server tells to those it concerns. */
  told(notification: NotificationFrame): void {
    for (const member of this.#audience(notification)) member.told(notification);
  }

  #forward(member: Member, request: IncomingRequest, options: Forwarding): OutgoingRequest {
    let over = () => {};
    // Written out, as copying an object of unknown shape costs as much as all else here.
    const outgoing = forwardRequest(request, {
      from: options.from,
      to: this.#server,
      edits: options.edits,
      onanswer: options.onanswer,
      onprogress: options.onprogress,
      onlost: options.onlost,
      onover: () => over(),
    });
    if (request.isOpen) over = this.#callers.opened(member, outgoing.id, request.frame.method, request);
    return outgoing;
  }

  #forwardLevel(member: Member, request: IncomingRequest, options: Forwarding): OutgoingRequest {
    const span = at(request.frame, 'params', 'level');
    const level = this.#logLevels.set(member, parsePart(request.frame, span));
    if (span === undefined || level === undefined) return this.#forward(member, request, options);
    return this.#forward(member, request, { ...options, edits: [{ span, text: JSON.stringify(level) }] });
  }

  #forwardSubscribe(member: Member, request: IncomingRequest, options: Forwarding): OutgoingRequest {
    const uri = this.#uriOf(request, options);
    // Counted before the answer, so that no update slips through in between.
    this.#subscriptions.add(uri, member);
    const onanswer = (answer: ResponseFrame) => {
      if (answer.result === undefined) this.#subscriptions.remove(uri, member);
      options.onanswer?.(answer);
    };
    return this.#forward(member, request, { ...options, onanswer });
  }

  #forwardUnsubscribe(member: Member, request: IncomingRequest, options: Forwarding): OutgoingRequest {
    if (!this.#subscriptions.remove(this.#uriOf(request, options), member))
      return this.#forward(member, request, options);
    // While others want to hear of it, the server is not told.
    request.answerWith(DONE);
    options.onanswer?.(DONE);
    return { id: request.id, cancel: () => {}, forget: () => {} };
  }

  /** The URI of a request as the server gets it. */
  #uriOf({ frame }: IncomingRequest, { edits = [] }: Forwarding): string {
    const span = at(frame, 'params', 'uri');
    const edit = edits.find((one) => one.span.start === span?.start);
    return String(edit === undefined ? parsePart(frame, span) : JSON.parse(String(edit.text)));
  }

  #audience(notification: NotificationFrame): Iterable<Member> {
    const everybody = this.#members;
    if (everybody.size === 1) return everybody;
    switch (notification.method) {
      case RESOURCE_UPDATED: {
        const subscribers = this.#subscriptions.subscribersOf(uriOf(notification));
        return subscribers.size > 0 ? subscribers : everybody;
      }
      case LOG_MESSAGE: {
        const level = valueAt(notification, 'params', 'level');
        const caller = this.#callers.callOfStream(notification)?.member;
        // What it says while it works for some is about their calls.
        const { busy } = this.#callers;
        const concerned = caller === undefined ? (busy.size > 0 ? busy : everybody) : [caller];
        return [...concerned].filter((member) => this.#logLevels.wants(member, level));
      }
      case TASK_STATUS: {
        const owner = this.#callers.ownerOfTask(notification);
        return owner === undefined ? everybody : [owner];
      }
      default:
        return everybody;
    }
  }
}

function levelIn(params: string): unknown {
  const value: unknown = JSON.parse(params);
  return typeof value === 'object' && value !== null && 'level' in value ? value.level : undefined;
}

function uriOf(frame: NotificationFrame): string {
  return String(valueAt(frame, 'params', 'uri'));
}
