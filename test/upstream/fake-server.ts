import type { IncomingRequest } from '../../src/jsonrpc/incoming-request.ts';
import { createLinkedLinks } from '../../src/jsonrpc/linked-links.ts';
import type { Peer } from '../../src/jsonrpc/peer.ts';
import { peerOn } from '../jsonrpc/messages.ts';
import { TappedLink } from '../jsonrpc/tapped-link.ts';

/** Answers a request of the client: JSON text of the result, or nothing when it answers by itself or not at all. */
export type Answer = (request: IncomingRequest) => string | undefined;

export interface FakeServerOptions {
  /** Answers by method; what has none is refused. */
  readonly on?: Readonly<Record<string, Answer>>;
  /** Names of tools, for a `tools/list` of one page. */
  readonly tools?: readonly string[];
  /** JSON text of the declared capabilities. */
  readonly capabilities?: string;
}

/** An MCP server within the test: its link is what an upstream opens, everything it gets is kept. */
export class FakeServer {
  readonly peer: Peer;
  readonly link: TappedLink;
  /** What it was sent, requests and notifications, as text. */
  readonly received: string[] = [];
  readonly requests: IncomingRequest[] = [];
  tools: readonly string[];

  constructor({ on = {}, tools = [], capabilities = '{"tools":{}}' }: FakeServerOptions = {}) {
    const [ours, theirs] = createLinkedLinks();
    this.link = new TappedLink(theirs);
    this.tools = tools;
    const standard: Record<string, Answer> = {
      initialize: () => `{"protocolVersion":"2025-11-25","capabilities":${capabilities},"n":1.0}`,
      'tools/list': () => `{"tools":[${this.tools.map((name) => JSON.stringify({ name })).join(',')}]}`,
    };
    this.peer = peerOn(ours, {
      onrequest: (request) => {
        this.received.push(request.frame.bytes.toString());
        this.requests.push(request);
        const answer = on[request.frame.method] ?? standard[request.frame.method];
        const result = answer?.(request);
        if (result !== undefined) request.result(result);
        else if (answer === undefined) request.error(-32601, 'Method not found');
      },
      onnotification: (frame) => this.received.push(frame.bytes.toString()),
      onclose: () => {},
      onfault: () => {},
    });
  }

  /** Texts of what it received under this method. */
  receivedOf(method: string): string[] {
    return this.received.filter((text) => text.includes(`"method":${JSON.stringify(method)}`));
  }
}
