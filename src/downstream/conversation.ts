import type { CatalogChange } from '../catalog/catalog.ts';
import { type NotificationFrame, type RequestFrame, type ResponseFrame, valueAt } from '../jsonrpc/frame.ts';
import type { IncomingRequest } from '../jsonrpc/incoming-request.ts';
import type { Peer } from '../jsonrpc/peer.ts';
import type { Logger } from '../log.ts';
import { changedList } from '../mcp/list-changed.ts';
import { LOG_MESSAGE, RESOURCE_UPDATED } from '../mcp/methods.ts';
import type { RouteParts } from './client-routes.ts';
import { Conflicts } from './conflicts.ts';
import { AdvertisedLists } from './lists/advertised-lists.ts';
import type { ConfigurationView } from './meta-tools/meta-tool.ts';
import { linkedUris } from './routes/answer-links.ts';
import { LogLevelRelay, withServerName } from './routes/log-level-relay.ts';
import { Resources } from './routes/resources.ts';
import { Tasks } from './routes/tasks.ts';
import type { SessionState } from './session-record.ts';
import type { Asking, SessionListener, SessionScope } from './session-scope.ts';
import { askClient } from './upstream-requests.ts';
import type { ConnectionView } from './upstream-view.ts';

export interface ConversationOptions {
  readonly client: Peer;
  readonly scope: SessionScope;
  readonly state: SessionState;
  readonly log: Logger;
  readonly settings: () => SessionSettings;
  /** Runs what is for the client once that can be told. */
  readonly whenInitialized: (action: () => void) => void;
}

export interface SessionSettings {
  readonly pinned: readonly string[];
  readonly configuration: ConfigurationView;
  readonly topK: number;
  readonly maxAnswerTokens: number;
  /** How long a list waits for servers that are still starting. */
  readonly listWaitMs: number;
}

/** What is between a client that has said who it is and the servers: what it sees listed, and what it is told. */
export class Conversation implements SessionListener {
  /** What the client's requests are answered from. */
  readonly parts: RouteParts;
  readonly lists: AdvertisedLists;
  readonly #options: ConversationOptions;
  readonly #resources: Resources;
  readonly #tasks: Tasks;
  readonly #logLevel: LogLevelRelay;
  readonly #conflicts: Conflicts;

  constructor(options: ConversationOptions) {
    this.#options = options;
    const { client, scope, state, log, settings, whenInitialized } = options;
    const { catalog, upstreams, access, caller } = scope;
    const isOneOfMany = caller !== undefined;
    this.lists = new AdvertisedLists({
      catalog,
      upstreams,
      links: state.links,
      holders: state.names,
      pinned: () => settings().pinned,
      listWaitMs: () => settings().listWaitMs,
      announce: (method) => whenInitialized(() => client.notify(method)),
      onunmatched: (pins) =>
        log.warn(`no server has a tool for the pins ${pins.join(', ')}; see "pinned" in toolsift.json`),
      onambiguous: (pins) =>
        log.warn(
          `several servers have a tool for the pins ${pins.join(', ')}; write "server/name" in toolsift.json`,
        ),
    });
    this.#resources = new Resources({
      directory: this.lists.resources,
      upstreams,
      access,
      client,
      subscriptions: state.subscriptions,
    });
    this.#tasks = new Tasks({ upstreams, client, owners: state.tasks, listsOnlyOwn: isOneOfMany });
    this.#logLevel = new LogLevelRelay(upstreams, state);
    this.#conflicts = new Conflicts(log);
    this.parts = {
      lists: this.lists,
      resources: this.#resources,
      tasks: this.#tasks,
      logLevel: this.#logLevel,
      context: {
        catalog,
        upstreams,
        access,
        client,
        isOneOfMany,
        settings,
        indexed: () => scope.indexed(),
        pinProblems: () => {
          const { unmatchedPins: unmatched, ambiguousPins: ambiguous } = this.lists.tools;
          // They are the configuration's business, and name what the caller may not know of.
          return isOneOfMany ? { unmatched: [], ambiguous: [] } : { unmatched, ambiguous };
        },
        onanswer: (server, call, answer) => this.#learn(server, call, answer),
      },
    };
  }

  catalogChanged(change: CatalogChange): void {
    this.lists.catalogChanged(change);
  }

  configChanged(): void {
    this.lists.configChanged();
  }

  statusChanged(): void {
    this.lists.statusChanged();
  }

  upstreamReady(server: string, connection: ConnectionView): void {
    this.#logLevel.tell(connection);
    this.#resources.restore(server, connection);
    this.#tasks.restore(server, connection);
  }

  upstreamRequest(request: IncomingRequest, from: Asking): void {
    const { client, state, whenInitialized } = this.#options;
    whenInitialized(() => {
      if (request.isOpen) askClient(request, { ...from, client, declared: state.declared });
    });
  }

  upstreamNotification(server: string, frame: NotificationFrame): void {
    // A changed list of one upstream is announced when, and only when, it changes what the client sees.
    if (changedList(frame.method) !== undefined || this.#tasks.isOfAnother(frame, server)) return;
    const { client, whenInitialized, scope } = this.#options;
    if (frame.method === RESOURCE_UPDATED) {
      const uri = valueAt(frame, 'params', 'uri');
      if (typeof uri === 'string' && !scope.access.allows(server, uri)) return;
    }
    whenInitialized(() => {
      if (frame.method === LOG_MESSAGE) client.notifyWith(frame, withServerName(frame, server));
      else if (frame.method === RESOURCE_UPDATED)
        client.notifyWith(frame, this.#resources.updatedEdits(frame, server));
      else client.notifyWith(frame);
    });
  }

  /** The client's roots have changed, which every server that was told of roots hears. */
  rootsChanged(frame: NotificationFrame): void {
    for (const { connection } of this.#options.scope.upstreams.values()) connection?.notifyWith(frame);
  }

  #learn(server: string, call: RequestFrame, answer: ResponseFrame): void {
    this.#conflicts.report('a task id', this.#tasks.learn(server, call, answer), server);
    for (const uri of linkedUris(answer)) {
      this.#conflicts.report('a resource', this.lists.resources.rememberLink(uri, server), server);
    }
  }
}
