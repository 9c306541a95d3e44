import { Catalog, type UpstreamSnapshot } from '../../src/catalog/catalog.ts';
import { ClientSession } from '../../src/downstream/client-session.ts';
import type { SessionSettings } from '../../src/downstream/conversation.ts';
import type { SessionListener } from '../../src/downstream/session-scope.ts';
import { type ResponseFrame, textOf } from '../../src/jsonrpc/frame.ts';
import type { IncomingRequest } from '../../src/jsonrpc/incoming-request.ts';
import { createLinkedLinks } from '../../src/jsonrpc/linked-links.ts';
import type { Peer } from '../../src/jsonrpc/peer.ts';
import { createLogger } from '../../src/log.ts';
import { FULL_ACCESS } from '../../src/policy/access.ts';
import { ToolIndex } from '../../src/search/tool-index.ts';
import { snapshotOf } from '../catalog/samples.ts';
import { peerOn } from '../jsonrpc/messages.ts';
import { settled } from '../upstream/fake-clock.ts';
import { type FakeUpstream, viewsOf } from './fake-upstream.ts';

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly code: unknown;
}

/** A session of toolsift with fake upstreams behind it and a client of the test's own in front. */
export class Client {
  readonly catalog: Catalog;
  readonly session: ClientSession;
  /** What hears of upstreams, once the client has said who it is. */
  listener: SessionListener | undefined;
  readonly peer: Peer;
  readonly notifications: string[] = [];
  readonly requests: IncomingRequest[] = [];
  readonly logged: string[] = [];
  /** `initialize` params that upstreams are to get. */
  readonly params: string[] = [];
  hellos = 0;
  closed: Error | undefined;
  settings: SessionSettings = {
    pinned: [],
    configuration: { file: '/home/me/toolsift.json' },
    topK: 5,
    maxAnswerTokens: 4000,
    listWaitMs: 0,
  };

  constructor(...upstreams: FakeUpstream[]) {
    const [ours, theirs] = createLinkedLinks();
    const index = new ToolIndex();
    this.catalog = new Catalog((change) => {
      const tools = this.catalog.upstream(change.server)?.tools.values() ?? [];
      index.replaceServer(
        change.server,
        [...tools].map(({ definition }) => JSON.parse(definition) as unknown),
      );
      this.listener?.catalogChanged?.(change);
    });
    this.session = new ClientSession({
      link: theirs,
      log: createLogger('debug', (line) => this.logged.push(line)),
      version: '1.2.3',
      settings: () => this.settings,
      enter: (params) => {
        if (params !== undefined) this.params.push(params);
        return {
          caller: undefined,
          access: FULL_ACCESS,
          catalog: this.catalog,
          upstreams: viewsOf(...upstreams),
          capabilities: () => new Map(),
          load: () => {},
          indexed: async () => index,
          attach: (listener) => {
            this.listener = listener;
          },
          start: () => {
            this.hellos++;
          },
        };
      },
      onclose: (reason) => {
        this.closed = reason;
      },
    });
    for (const upstream of upstreams) {
      const { name } = upstream;
      upstream.onnotification = (frame) => this.listener?.upstreamNotification(name, frame);
      upstream.onrequest = (request) => {
        if (upstream.peer !== undefined)
          this.listener?.upstreamRequest(request, { server: upstream.peer, relatedRequest: undefined });
      };
    }
    this.peer = peerOn(ours, {
      onrequest: (request) => this.requests.push(request),
      onnotification: (frame) => this.notifications.push(frame.bytes.toString()),
      onfault: () => {},
      onclose: () => {},
    });
    void this.session.start();
  }

  put(server: string, tools: readonly string[], more: Partial<UpstreamSnapshot> = {}): void {
    this.catalog.replaceUpstream(server, snapshotOf(server, tools, more));
  }

  /** Of one method; when lists are announced as changed depends on the clock. */
  notificationsOf(method: string): string[] {
    return this.notifications.filter((text) => text.includes(`"method":${JSON.stringify(method)}`));
  }

  async hello(capabilities = '{}'): Promise<ResponseFrame> {
    const answer = await this.ask(
      'initialize',
      `{"protocolVersion":"2025-11-25","capabilities":${capabilities},"clientInfo":{"name":"t","version":"1"}}`,
    );
    this.peer.notify('notifications/initialized');
    await settled();
    return answer;
  }

  ask(method: string, params?: string): Promise<ResponseFrame> {
    return this.peer.request(method, params);
  }

  /** The text of the result or the error of an answer. */
  async textOf(method: string, params?: string): Promise<string> {
    const answer = await this.ask(method, params);
    return textOf(answer, answer.result ?? answer.error ?? { start: 0, end: 0 });
  }

  /** Calls a tool that answers in words. */
  async call(name: string, args: object): Promise<ToolAnswer> {
    const text = await this.textOf('tools/call', JSON.stringify({ name, arguments: args }));
    const result = JSON.parse(text) as {
      content?: { text: string }[];
      isError?: boolean;
      _meta?: Record<string, unknown>;
    };
    return {
      text: (result.content ?? []).map((block) => block.text).join('\n'),
      isError: result.isError === true,
      code: result._meta?.['toolsift/error'],
    };
  }
}
