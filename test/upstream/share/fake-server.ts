import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { ToolsiftError } from '../../../src/errors.ts';
import {
  type NotificationFrame,
  type RequestFrame,
  type ResponseFrame,
  textOf,
  valueAt,
} from '../../../src/jsonrpc/frame.ts';
import type { IncomingRequest } from '../../../src/jsonrpc/incoming-request.ts';
import { createLinkedLinks } from '../../../src/jsonrpc/linked-links.ts';
import type { Peer } from '../../../src/jsonrpc/peer.ts';
import { type Connection, openConnection } from '../../../src/upstream/connection.ts';
import { SharedLink } from '../../../src/upstream/share/shared-link.ts';
import { waitFor } from '../../helpers/wait-for.ts';
import { peerOn } from '../../jsonrpc/messages.ts';
import { TappedLink } from '../../jsonrpc/tapped-link.ts';

export const INITIALIZE_RESULT =
  '{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"x":1.0},"serverInfo":{"name":"fake","version":"1"}}';

/** A server within the process: it keeps requests open until the test answers them. */
export class FakeServer {
  readonly link: TappedLink;
  readonly peer: Peer;
  readonly received: (RequestFrame | NotificationFrame)[] = [];
  readonly open: IncomingRequest[] = [];
  isClosed = false;

  constructor(startError?: Error) {
    const [ours, theirs] = createLinkedLinks();
    this.link = new TappedLink(theirs, startError);
    this.peer = peerOn(ours, {
      onrequest: (request) => this.#answer(request),
      onnotification: (frame) => this.received.push(frame),
      onclose: () => {
        this.isClosed = true;
      },
      onfault: () => {},
    });
  }

  /** Ends as a process does that dies. */
  crash(reason: ToolsiftError): void {
    this.isClosed = true;
    this.link.end(reason);
  }

  methods(): string[] {
    return this.received.map(({ method }) => method);
  }

  /** The request for the tool of that name, once it is there. */
  called(tool: string): Promise<IncomingRequest> {
    return waitFor(`call of ${tool}`, () =>
      this.open.find((request) => param(request.frame, 'name') === tool),
    );
  }

  #answer(request: IncomingRequest): void {
    this.received.push(request.frame);
    const { method } = request.frame;
    if (method === 'initialize') request.result(INITIALIZE_RESULT);
    else if (method === 'tools/call') this.open.push(request);
    else request.result('{}');
  }
}

/** What the layer above has of a shared server. */
export interface Session {
  readonly link: SharedLink;
  readonly connection: Connection;
  readonly requests: IncomingRequest[];
  readonly notifications: NotificationFrame[];
  readonly closed: Promise<ToolsiftError>;
}

/** Sessions that share servers under one key, in a folder of their own; whatever is left at the end fails the test. */
export class Sharing {
  readonly parent = mkdtempSync(join(tmpdir(), 'ts-share-'));
  readonly folder = join(this.parent, 'run');
  readonly servers: FakeServer[] = [];
  readonly #links: SharedLink[] = [];

  constructor() {
    onTestFinished(async () => {
      await Promise.all(this.#links.map((link) => link.close()));
      expect(existsSync(this.folder) ? readdirSync(this.folder) : [], 'files left').toEqual([]);
      expect(
        this.servers.filter(({ isClosed }) => !isClosed),
        'servers left',
      ).toEqual([]);
      rmSync(this.parent, { recursive: true });
    });
  }

  /** The one server that runs. */
  get server(): FakeServer {
    const running = this.servers.filter(({ isClosed }) => !isClosed);
    expect(running).toHaveLength(1);
    return running[0] as FakeServer;
  }

  link(key = 'abc', makeServer = () => new FakeServer()): SharedLink {
    const openServer = async () => {
      const server = makeServer();
      this.servers.push(server);
      return server.link;
    };
    const link = new SharedLink({ key, folder: this.folder, openServer });
    this.#links.push(link);
    return link;
  }

  async session(key?: string): Promise<Session> {
    const link = this.link(key);
    const requests: IncomingRequest[] = [];
    const notifications: NotificationFrame[] = [];
    let close: (reason: ToolsiftError) => void = () => {};
    const closed = new Promise<ToolsiftError>((resolve) => {
      close = resolve;
    });
    const connection = await openConnection({
      link,
      initializeParams: '{"capabilities":{}}',
      quote: (text: string) => text,
      signal: new AbortController().signal,
      members: new Set([
        { asked: (request) => requests.push(request), told: (frame) => notifications.push(frame) },
      ]),
      handlers: {
        onnotification: () => {},
        onfault: () => {},
        onclose: (reason) => close(reason),
      },
    });
    return { link, connection, requests, notifications, closed };
  }
}

export function call({ connection }: Session, tool: string, signal?: AbortSignal): Promise<ResponseFrame> {
  return connection.peer.request('tools/call', JSON.stringify({ name: tool, arguments: {} }), signal);
}

export function resultOf(frame: ResponseFrame): string {
  return frame.result === undefined ? '' : textOf(frame, frame.result);
}

export function param(frame: RequestFrame | NotificationFrame, key: string): unknown {
  return valueAt(frame, 'params', key);
}
