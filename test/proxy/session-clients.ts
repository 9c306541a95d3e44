import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import type { SessionRecord } from '../../src/downstream/session-record.ts';
import { at, type NotificationFrame, textOf, valueAt } from '../../src/jsonrpc/frame.ts';
import type { IncomingRequest } from '../../src/jsonrpc/incoming-request.ts';
import { createLinkedLinks } from '../../src/jsonrpc/linked-links.ts';
import type { Peer } from '../../src/jsonrpc/peer.ts';
import { createLogger } from '../../src/log.ts';
import type { OpenSession } from '../../src/proxy/open-session.ts';
import { ToolProxy } from '../../src/proxy/proxy.ts';
import { expectNoProcessesLeft, isAlive, recordedPids } from '../helpers/processes.ts';
import { peerOn } from '../jsonrpc/messages.ts';
import { fixtureConfig } from '../upstream/server-config.ts';

/** A client of the test's own in front of one session; it answers what it is asked with its mark. */
export class SessionClient {
  readonly mark: string;
  readonly peer: Peer;
  readonly session: OpenSession;
  readonly asked: IncomingRequest[] = [];
  readonly notifications: NotificationFrame[] = [];

  constructor(proxy: ToolProxy, mark: string, record?: SessionRecord) {
    this.mark = mark;
    const [ours, theirs] = createLinkedLinks();
    this.peer = peerOn(ours, {
      onrequest: (request) => {
        this.asked.push(request);
        request.result(JSON.stringify({ answeredBy: mark }));
      },
      onnotification: (frame) => this.notifications.push(frame),
      onclose: () => {},
      onfault: () => {},
    });
    this.session = proxy.openSession({ link: theirs, record, onclose: () => {} });
    void this.session.start();
  }

  /** @param capabilities JSON text */
  async initialize(capabilities: string): Promise<void> {
    const clientInfo = JSON.stringify({ name: this.mark, version: '1' });
    await this.ask(
      'initialize',
      `{"protocolVersion":"2025-11-25","capabilities":${capabilities},"clientInfo":${clientInfo}}`,
    );
    this.peer.notify('notifications/initialized');
  }

  async ask(method: string, params?: string, signal?: AbortSignal): Promise<string> {
    const answer = await this.peer.request(method, params, signal);
    return textOf(answer, answer.result ?? answer.error ?? { start: 0, end: 0 });
  }

  /** The text that a tool of a server answers with. */
  async invoke(server: string, name: string, args: object = {}, signal?: AbortSignal): Promise<string> {
    const params = { name: 'invoke_tool', arguments: { server, name, arguments: args } };
    const text = await this.ask('tools/call', JSON.stringify(params), signal);
    const { content } = JSON.parse(text) as { content?: { text: string }[] };
    return content?.[0]?.text ?? text;
  }

  /** Calls with a progress token; resolves with the messages of the progress it was told. */
  invokeWithProgress(server: string, name: string, args: object): Promise<string[]> {
    const params = { name: 'invoke_tool', arguments: { server, name, arguments: args } };
    const seen: string[] = [];
    return new Promise((resolve, reject) => {
      this.peer.send(
        (id, token) => ({
          chunks: [
            `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${JSON.stringify(params).slice(0, -1)},"_meta":{"progressToken":${token}}}}`,
          ],
          about: { kind: 'request', id, method: 'tools/call' },
        }),
        {
          onanswer: () => resolve(seen),
          onlost: reject,
          onprogress: (frame) => seen.push(String(valueAt(frame, 'params', 'message'))),
        },
      );
    });
  }

  /** Texts of what it was told under a method. */
  told(method: string): string[] {
    return this.notifications
      .filter((frame) => frame.method === method)
      .map((frame) => (frame.params === undefined ? '' : textOf(frame, frame.params)));
  }

  /** What it was asked under a method: the member of the `params` that the tests put there. */
  askedUnder(method: string): unknown[] {
    return this.asked
      .filter(({ frame }) => frame.method === method)
      .map(({ frame }) =>
        at(frame, 'params') === undefined ? undefined : valueAt(frame, 'params', 'message'),
      );
  }

  close(): Promise<void> {
    return this.peer.close();
  }
}

/** A proxy on these fixture servers, and where each writes down its processes. */
export function proxyOn(
  names: readonly string[],
  more: Partial<Config> = {},
  perSession: readonly string[] = [],
) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolsift-sessions-')));
  const pidsFile = (server: string) => join(folder, `pids-${server}`);
  const servers = names.map((name) =>
    fixtureConfig(name, {
      env: { TOOLSIFT_TEST_PIDS: pidsFile(name) },
      isPerSession: perSession.includes(name),
    }),
  );
  const config: Config = {
    file: '/nowhere/toolsift.json',
    servers: new Map(servers.map((server) => [server.name, server])),
    pinned: [],
    topK: 5,
    maxMessageBytes: 1_000_000,
    pinnedWaitMs: 0,
    search: { mode: 'learned', maxTokens: 4000 },
    warnings: [],
    ...more,
  };
  const proxy = new ToolProxy({ config, log: createLogger('silent'), version: '1.2.3' });
  const running = (server: string) => recordedPids(pidsFile(server)).filter(isAlive);
  onTestFinished(async () => {
    await proxy.close();
    for (const name of names) await expectNoProcessesLeft(pidsFile(name));
    rmSync(folder, { recursive: true, force: true });
  });
  return { proxy, config, running };
}
