import { asExit, type ToolsiftError } from '../../errors.ts';
import type { Edit } from '../../json/splice.ts';
import { forwardRequest } from '../../jsonrpc/forward-request.ts';
import {
  at,
  type NotificationFrame,
  parsePart,
  type RequestFrame,
  type ResponseFrame,
  textOf,
  valueAt,
} from '../../jsonrpc/frame.ts';
import type { IncomingRequest } from '../../jsonrpc/incoming-request.ts';
import type { Link, LinkFault } from '../../jsonrpc/link.ts';
import { Peer } from '../../jsonrpc/peer.ts';
import { INTERNAL_ERROR, INVALID_REQUEST } from '../../mcp/error-codes.ts';
import {
  INITIALIZE,
  INITIALIZED,
  LOG_MESSAGE,
  PING,
  RESOURCE_UPDATED,
  SET_LOG_LEVEL,
  SUBSCRIBE,
  TASK_STATUS,
  UNSUBSCRIBE,
} from '../../mcp/methods.ts';
import { isControl } from '../share/control.ts';
import { Callers } from './callers.ts';
import { HubSession } from './hub-member.ts';
import { LogLevels } from './log-levels.ts';
import { Subscriptions } from './subscriptions.ts';

export interface HubOptions {
  readonly link: Link;
  readonly onfault: (fault: LinkFault) => void;
  readonly onclose: (reason: ToolsiftError) => void;
}

interface Forwarding {
  readonly edits?: readonly Edit[];
  readonly onanswer?: (answer: ResponseFrame) => void;
}

/** One server, many sessions: to the server they are one client, to each session the server is its own. */
export class Hub {
  readonly #server: Peer;
  /** In the order they came. */
  readonly #sessions = new Set<HubSession>();
  readonly #callers = new Callers<HubSession>();
  readonly #subscriptions = new Subscriptions<HubSession>();
  readonly #logLevels = new LogLevels<HubSession>();
  #handshake: Promise<ResponseFrame> | undefined;
  #saidInitialized = false;

  constructor({ link, onfault, onclose }: HubOptions) {
    this.#server = new Peer(link, {
      onrequest: (request) => this.#askSession(request),
      onnotification: (frame) => this.#tellSessions(frame),
      onfault,
      onclose: (reason) => onclose(asExit(reason)),
    });
  }

  get sessionCount(): number {
    return this.#sessions.size;
  }

  /** Starts the server. */
  start(): Promise<void> {
    return this.#server.start();
  }

  attach(link: Link): void {
    const session = new HubSession(link, {
      onrequest: (_, request) => this.#receive(session, request),
      onnotification: (_, frame) => this.#notified(frame),
      onclose: () => this.#detach(session),
    });
    this.#sessions.add(session);
    void session.peer.start();
  }

  /** Tells every session why it ends, then stops the server. */
  async end(reason: ToolsiftError): Promise<void> {
    for (const session of this.#sessions) session.end(reason);
    await this.#server.close();
  }

  #detach(session: HubSession): void {
    this.#sessions.delete(session);
    this.#callers.left(session);
    // Where the server is gone too, nobody has to be told.
    for (const uri of this.#subscriptions.left(session))
      this.#server.request(UNSUBSCRIBE, JSON.stringify({ uri })).catch(() => {});
    const level = this.#logLevels.left(session);
    if (level !== undefined) this.#server.request(SET_LOG_LEVEL, `{"level":"${level}"}`).catch(() => {});
  }

  #receive(session: HubSession, request: IncomingRequest): void {
    const { method } = request.frame;
    if (method === INITIALIZE) void this.#initialize(session, request);
    else if (!session.isInitialized) request.error(INVALID_REQUEST, 'initialize comes first');
    else if (method === SET_LOG_LEVEL) this.#setLevel(session, request);
    else if (method === SUBSCRIBE) this.#subscribe(session, request);
    else if (method === UNSUBSCRIBE) this.#unsubscribe(session, request);
    else this.#forward(session, request);
  }

  async #initialize(session: HubSession, request: IncomingRequest): Promise<void> {
    const { frame } = request;
    const params = frame.params === undefined ? undefined : textOf(frame, frame.params);
    this.#handshake ??= this.#server.request(INITIALIZE, params);
    try {
      const answer = await this.#handshake;
      session.isInitialized = answer.result !== undefined;
      request.answerWith(answer);
    } catch (error) {
      session.lose(request, asExit(error as Error));
    }
  }

  #notified(frame: NotificationFrame): void {
    if (frame.method === INITIALIZED) {
      if (this.#saidInitialized) return;
      this.#saidInitialized = true;
    }
    this.#server.notifyWith(frame);
  }

  #forward(session: HubSession, request: IncomingRequest, { edits = [], onanswer }: Forwarding = {}): void {
    const { frame } = request;
    let over = () => {};
    const outgoing = forwardRequest(request, {
      from: session.peer,
      to: this.#server,
      edits,
      onanswer: (answer) => {
        over();
        this.#callers.answered(session, frame, answer);
        onanswer?.(answer);
      },
      onlost: (reason) => {
        over();
        session.lose(request, reason);
      },
    });
    if (!request.isOpen) return;
    over = this.#callers.opened(session, outgoing.id, frame.method);
    const { oncancel } = request;
    request.oncancel = (notification) => {
      over();
      oncancel?.(notification);
    };
  }

  #setLevel(session: HubSession, request: IncomingRequest): void {
    const { frame } = request;
    const span = at(frame, 'params', 'level');
    const level = this.#logLevels.set(session, parsePart(frame, span));
    const edits = span === undefined || level === undefined ? [] : [{ span, text: JSON.stringify(level) }];
    this.#forward(session, request, { edits });
  }

  #subscribe(session: HubSession, request: IncomingRequest): void {
    const uri = uriOf(request.frame);
    // Counted before the answer, so that no update slips through in between.
    this.#subscriptions.add(uri, session);
    const onanswer = (answer: ResponseFrame) => {
      if (answer.result === undefined) this.#subscriptions.remove(uri, session);
    };
    this.#forward(session, request, { onanswer });
  }

  #unsubscribe(session: HubSession, request: IncomingRequest): void {
    if (this.#subscriptions.remove(uriOf(request.frame), session)) request.result('{}');
    else this.#forward(session, request);
  }

  /** Hands what the server asks to the session whose call it is about. */
  #askSession(request: IncomingRequest): void {
    if (request.frame.method === PING) {
      request.result('{}');
      return;
    }
    const session = this.#callers.callerOf(request.frame) ?? this.#listeners()[0];
    if (session === undefined) {
      request.error(INTERNAL_ERROR, 'no client is there to be asked');
      return;
    }
    forwardRequest(request, {
      from: this.#server,
      to: session.peer,
      onlost: () => request.error(INTERNAL_ERROR, 'the client is gone'),
    });
  }

  #tellSessions(frame: NotificationFrame): void {
    if (isControl(frame)) return;
    for (const session of this.#audience(frame)) session.peer.notifyWith(frame);
  }

  #audience(frame: NotificationFrame): Iterable<HubSession> {
    const everybody = this.#listeners();
    switch (frame.method) {
      case RESOURCE_UPDATED: {
        const subscribers = this.#subscriptions.subscribersOf(uriOf(frame));
        return subscribers.size > 0 ? subscribers : everybody;
      }
      case LOG_MESSAGE: {
        const level = valueAt(frame, 'params', 'level');
        return everybody.filter((session) => this.#logLevels.wants(session, level));
      }
      case TASK_STATUS: {
        const owner = this.#callers.ownerOfTask(frame);
        return owner === undefined ? everybody : [owner];
      }
      default:
        return everybody;
    }
  }

  #listeners(): HubSession[] {
    return [...this.#sessions].filter((session) => session.isInitialized);
  }
}

function uriOf(frame: RequestFrame | NotificationFrame): string {
  return String(valueAt(frame, 'params', 'uri'));
}
