import { excerpt } from '../foreign-text.ts';
import { describeFault } from '../jsonrpc/describe-fault.ts';
import { type NotificationFrame, valueAt } from '../jsonrpc/frame.ts';
import type { IncomingRequest } from '../jsonrpc/incoming-request.ts';
import type { Link } from '../jsonrpc/link.ts';
import { Peer } from '../jsonrpc/peer.ts';
import { refuseJunk } from '../jsonrpc/refuse-junk.ts';
import type { Logger } from '../log.ts';
import { capabilityNames } from '../mcp/capabilities.ts';
import { METHOD_NOT_FOUND } from '../mcp/error-codes.ts';
import { INITIALIZE, INITIALIZED, PING, ROOTS_LIST_CHANGED } from '../mcp/methods.ts';
import { readInitialize } from './client-handshake.ts';
import { ROUTES, type Route } from './client-routes.ts';
import { Conversation, type SessionSettings } from './conversation.ts';
import { initializeResult } from './initialize-result.ts';
import { type SessionRecord, SessionState } from './session-record.ts';
import type { SessionScope } from './session-scope.ts';
import { answerBug } from './wire-error.ts';

/** What upstreams may have for a client that never says that it is initialized. */
const MAX_HELD_BACK = 1000;

export interface ClientSessionOptions {
  readonly link: Link;
  readonly log: Logger;
  readonly version: string;
  /** What is configured now. */
  readonly settings: () => SessionSettings;
  /**
   * Gives the session its place, once it is known what the client declares.
   *
   * @param initializeParams the `params` of its `initialize`, if it sent any
   */
  readonly enter: (initializeParams: string | undefined) => SessionScope;
  /** What was written down of a session that goes on here. */
  readonly record?: SessionRecord | undefined;
  readonly onclose: (reason: Error) => void;
}

/** A session with one client in front of us: the handshake, and what is done with each message after it. */
export class ClientSession {
  readonly #options: ClientSessionOptions;
  readonly #peer: Peer;
  readonly #state: SessionState;
  #begun: { readonly scope: SessionScope; readonly conversation: Conversation } | undefined;
  #scope: SessionScope | undefined;
  #isStarted = false;
  #isOver = false;
  /** What upstreams have for the client before it said that it is initialized. */
  #heldBack: (() => void)[] = [];

  constructor(options: ClientSessionOptions) {
    this.#options = options;
    this.#state = new SessionState(options.record);
    this.#peer = new Peer(options.link, {
      onrequest: (request) => this.#receive(request),
      onnotification: (frame) => this.#notified(frame),
      onclose: (reason) => {
        this.#isOver = true;
        options.onclose(reason);
      },
      onfault: (fault) => {
        options.log.warn(`the client ${describeFault(fault, excerpt)}`);
        refuseJunk(this.#peer, fault);
      },
    });
  }

  /** What has to be known of the session so that it can go on elsewhere. */
  get record(): SessionRecord {
    return this.#state.toJSON();
  }

  start(): Promise<void> {
    if (this.#options.record !== undefined) this.#startServers();
    return this.#peer.start();
  }

  #receive(request: IncomingRequest): void {
    const { method } = request.frame;
    if (method === INITIALIZE) {
      this.#initialize(request);
      return;
    }
    if (method === PING) {
      request.result('{}');
      return;
    }
    const route = ROUTES.get(method);
    if (route === undefined) request.error(METHOD_NOT_FOUND, `Method not found: ${method}`);
    else this.#run(route, request, this.#assumeInitialized());
  }

  #run(route: Route, request: IncomingRequest, { parts }: Conversation): void {
    const fail = (error: unknown) => answerBug(request, error, this.#options.log);
    try {
      route(request, parts)?.catch(fail);
    } catch (error) {
      fail(error);
    }
  }

  #initialize(request: IncomingRequest): void {
    const { frame } = request;
    const { protocolVersion, upstreamParams } = readInitialize(frame);
    const { version } = this.#options;
    this.#state.declared = capabilityNames(valueAt(frame, 'params'));
    this.#state.initializeParams ??= upstreamParams;
    const scope = this.#enter();
    const { upstreams } = scope;
    const { notice } = this.#options.settings().configuration;
    const known = scope.capabilities();
    request.result(initializeResult({ protocolVersion, version, known, upstreams, notice }));
    // Bringing back what is known of the servers takes its time; the client has its answer before.
    setImmediate(() => {
      if (!this.#isOver) this.#startServers();
    });
  }

  #notified(frame: NotificationFrame): void {
    if (frame.method === INITIALIZED) this.#assumeInitialized();
    if (frame.method === ROOTS_LIST_CHANGED) this.#begun?.conversation.rootsChanged(frame);
  }

  /** Some clients skip the handshake or its last step; whoever asks for something is taken to be done with it. */
  #assumeInitialized(): Conversation {
    const conversation = this.#startServers();
    this.#state.isInitialized = true;
    const heldBack = this.#heldBack;
    this.#heldBack = [];
    for (const action of heldBack) action();
    return conversation;
  }

  #begin(): { readonly scope: SessionScope; readonly conversation: Conversation } {
    if (this.#begun !== undefined) return this.#begun;
    const { log, settings } = this.#options;
    const scope = this.#enter();
    scope.load();
    const conversation = new Conversation({
      client: this.#peer,
      scope,
      state: this.#state,
      log,
      settings,
      whenInitialized: (action) => this.#whenInitialized(action),
    });
    this.#begun = { scope, conversation };
    scope.attach(conversation);
    return this.#begun;
  }

  #enter(): SessionScope {
    this.#scope ??= this.#options.enter(this.#state.initializeParams);
    return this.#scope;
  }

  #startServers(): Conversation {
    const { scope, conversation } = this.#begin();
    if (!this.#isStarted) scope.start();
    this.#isStarted = true;
    return conversation;
  }

  #whenInitialized(action: () => void): void {
    if (this.#state.isInitialized) action();
    else if (this.#heldBack.length < MAX_HELD_BACK) this.#heldBack.push(action);
  }
}
