import type { Catalog, CatalogChange } from '../catalog/catalog.ts';
import { excerpt } from '../foreign-text.ts';
import { describeFault } from '../jsonrpc/describe-fault.ts';
import { type NotificationFrame, type RequestFrame, type ResponseFrame, valueAt } from '../jsonrpc/frame.ts';
import type { IncomingRequest } from '../jsonrpc/incoming-request.ts';
import type { Link } from '../jsonrpc/link.ts';
import { Peer } from '../jsonrpc/peer.ts';
import { refuseJunk } from '../jsonrpc/refuse-junk.ts';
import type { Logger } from '../log.ts';
import { capabilityNames } from '../mcp/capabilities.ts';
import { METHOD_NOT_FOUND } from '../mcp/error-codes.ts';
import { changedList } from '../mcp/list-changed.ts';
import {
  INITIALIZE,
  INITIALIZED,
  LOG_MESSAGE,
  PING,
  RESOURCE_UPDATED,
  ROOTS_LIST_CHANGED,
} from '../mcp/methods.ts';
import type { ToolIndex } from '../search/tool-index.ts';
import { readHello } from './client-handshake.ts';
import { makeRoutes, type Route } from './client-routes.ts';
import { Conflicts } from './conflicts.ts';
import { initializeResult } from './initialize-result.ts';
import { AdvertisedLists } from './lists/advertised-lists.ts';
import type { ConfigurationView } from './meta-tools/meta-tool.ts';
import { linkedUris } from './routes/answer-links.ts';
import { LogLevelRelay, withServerName } from './routes/log-level-relay.ts';
import { Resources } from './routes/resources.ts';
import { Tasks } from './routes/tasks.ts';
import type { Session } from './session.ts';
import { askClient } from './upstream-requests.ts';
import type { UpstreamSession, UpstreamViews } from './upstream-view.ts';
import { answerBug } from './wire-error.ts';

/** What upstreams may have for a client that never says that it is initialized. */
const MAX_HELD_BACK = 1000;

export interface ClientSessionOptions {
  readonly link: Link;
  readonly catalog: Catalog;
  readonly upstreams: UpstreamViews;
  readonly log: Logger;
  readonly version: string;
  /** Resolves with the index when every tool of the catalog can be found in it, or after a moment. */
  readonly indexed: () => Promise<ToolIndex>;
  /** What is configured now. */
  readonly settings: () => SessionSettings;
  /** The client is there and nothing has been answered yet; the `params` of its `initialize`, if it sent any. */
  readonly onparams: (params: string | undefined) => void;
  /** The client has its answer: upstreams can be started for it. */
  readonly onhello: () => void;
  readonly onclose: (reason: Error) => void;
}

export interface SessionSettings {
  readonly pinned: readonly string[];
  readonly configuration: ConfigurationView;
  readonly topK: number;
  readonly maxAnswerTokens: number;
  /** How long a list waits for servers that are still starting. */
  readonly listWaitMs: number;
}

/** The conversation with the one client in front of us. */
export class ClientSession implements Session {
  readonly #options: ClientSessionOptions;
  readonly #peer: Peer;
  readonly #lists: AdvertisedLists;
  readonly #resources: Resources;
  readonly #tasks: Tasks;
  readonly #logLevel: LogLevelRelay;
  readonly #conflicts: Conflicts;
  readonly #routes: ReadonlyMap<string, Route>;
  #declared: ReadonlySet<string> = new Set();
  #isPrepared = false;
  #saidHello = false;
  #isInitialized = false;
  /** What upstreams have for the client before it said that it is initialized. */
  #heldBack: (() => void)[] = [];

  constructor(options: ClientSessionOptions) {
    this.#options = options;
    const { catalog, upstreams, log, settings } = options;
    this.#peer = new Peer(options.link, {
      onrequest: (request) => this.#receive(request),
      onnotification: (frame) => this.#notified(frame),
      onclose: options.onclose,
      onfault: (fault) => {
        log.warn(`the client ${describeFault(fault, excerpt)}`);
        refuseJunk(this.#peer, fault);
      },
    });
    this.#lists = new AdvertisedLists({
      catalog,
      upstreams,
      pinned: () => settings().pinned,
      listWaitMs: () => settings().listWaitMs,
      announce: (method) => this.#whenInitialized(() => this.#peer.notify(method)),
      onunmatched: (pins) =>
        log.warn(`no server has a tool for the pins ${pins.join(', ')}; see "pinned" in toolsift.json`),
      onambiguous: (pins) =>
        log.warn(
          `several servers have a tool for the pins ${pins.join(', ')}; write "server/name" in toolsift.json`,
        ),
    });
    this.#resources = new Resources(this.#lists.resources, upstreams, this.#peer);
    this.#tasks = new Tasks(upstreams, this.#peer);
    this.#conflicts = new Conflicts(log);
    this.#logLevel = new LogLevelRelay(upstreams);
    const context = {
      catalog,
      upstreams,
      client: this.#peer,
      settings,
      indexed: options.indexed,
      pinProblems: () => {
        const { unmatchedPins: unmatched, ambiguousPins: ambiguous } = this.#lists.tools;
        return { unmatched, ambiguous };
      },
      onanswer: (server: string, call: RequestFrame, answer: ResponseFrame) =>
        this.#learn(server, call, answer),
    };
    this.#routes = makeRoutes({
      lists: this.#lists,
      resources: this.#resources,
      tasks: this.#tasks,
      logLevel: this.#logLevel,
      context,
    });
  }

  start(): Promise<void> {
    return this.#peer.start();
  }

  catalogChanged(change: CatalogChange): void {
    this.#lists.catalogChanged(change);
  }

  configChanged(): void {
    this.#lists.configChanged();
  }

  statusChanged(): void {
    this.#lists.statusChanged();
  }

  upstreamReady(server: string, session: UpstreamSession): void {
    this.#logLevel.tell(session);
    this.#resources.restore(server, session);
  }

  upstreamRequest(request: IncomingRequest, upstream: Peer): void {
    this.#whenInitialized(() => {
      if (request.isOpen) askClient(request, { upstream, client: this.#peer, declared: this.#declared });
    });
  }

  upstreamNotification(server: string, frame: NotificationFrame): void {
    // A changed list of one upstream is announced when, and only when, it changes what the client sees.
    if (changedList(frame.method) !== undefined || this.#tasks.isOfAnother(frame, server)) return;
    this.#whenInitialized(() => {
      if (frame.method === LOG_MESSAGE) this.#peer.notifyWith(frame, withServerName(frame, server));
      else if (frame.method === RESOURCE_UPDATED) {
        this.#peer.notifyWith(frame, this.#resources.updatedEdits(frame, server));
      } else this.#peer.notifyWith(frame);
    });
  }

  #receive(request: IncomingRequest): void {
    const { method } = request.frame;
    if (method === INITIALIZE) {
      this.#initialize(request);
      return;
    }
    const route = this.#routes.get(method);
    if (route === undefined) {
      request.error(METHOD_NOT_FOUND, `Method not found: ${method}`);
      return;
    }
    if (method !== PING) this.#assumeInitialized();
    this.#run(route, request);
  }

  #run(route: Route, request: IncomingRequest): void {
    const fail = (error: unknown) => answerBug(request, error, this.#options.log);
    try {
      route(request)?.catch(fail);
    } catch (error) {
      fail(error);
    }
  }

  #initialize(request: IncomingRequest): void {
    const { frame } = request;
    const { protocolVersion, upstreamParams } = readHello(frame);
    const { version, catalog, upstreams } = this.#options;
    this.#declared = capabilityNames(valueAt(frame, 'params'));
    this.#prepare(upstreamParams);
    const { notice } = this.#options.settings().configuration;
    request.result(initializeResult({ protocolVersion, version, catalog, upstreams, notice }));
    this.#lists.clientKnowsAll();
    this.#hello();
  }

  #notified(frame: NotificationFrame): void {
    if (frame.method === INITIALIZED) this.#assumeInitialized();
    if (frame.method === ROOTS_LIST_CHANGED) {
      for (const { connection } of this.#options.upstreams.values()) connection?.peer.notifyWith(frame);
    }
  }

  /** Some clients skip the handshake or its last step; whoever asks for something is taken to be done with it. */
  #assumeInitialized(): void {
    this.#hello();
    this.#isInitialized = true;
    const heldBack = this.#heldBack;
    this.#heldBack = [];
    for (const action of heldBack) action();
  }

  #prepare(params: string | undefined): void {
    if (this.#isPrepared) return;
    this.#isPrepared = true;
    this.#options.onparams(params);
  }

  #hello(): void {
    if (this.#saidHello) return;
    this.#prepare(undefined);
    this.#saidHello = true;
    this.#options.onhello();
  }

  #whenInitialized(action: () => void): void {
    if (this.#isInitialized) action();
    else if (this.#heldBack.length < MAX_HELD_BACK) this.#heldBack.push(action);
  }

  #learn(server: string, call: RequestFrame, answer: ResponseFrame): void {
    this.#conflicts.report('a task id', this.#tasks.learn(server, call, answer), server);
    for (const uri of linkedUris(answer)) {
      this.#conflicts.report('a resource', this.#lists.resources.rememberLink(uri, server), server);
    }
  }
}
