import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

/** Joins the transport of a new session with what shall answer it; resolves with the way to end that. */
export type OpenSession = (transport: StreamableHTTPServerTransport) => Promise<() => Promise<void>>;

export interface HttpFront {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves MCP over Streamable HTTP on a free local port, one transport a session. The scenarios run one after the
 * other and do not end their sessions, so a new session ends the one before.
 */
export async function serveHttp(openSession: OpenSession): Promise<HttpFront> {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const closing: Promise<void>[] = [];
  let closeLast: () => Promise<void> = async () => {};

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isLocal(request.headers.host) || !isLocal(hostOf(request.headers.origin))) {
      response.writeHead(403).end();
      return;
    }
    const known = transports.get(String(request.headers['mcp-session-id']));
    await (known ?? (await newTransport())).handleRequest(request, response);
  }

  async function newTransport(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void transports.set(id, transport),
    });
    closing.push(closeLast());
    closeLast = await openSession(transport);
    return transport;
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      await Promise.all([...closing, closeLast()]);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function hostOf(origin: string | undefined): string | undefined {
  return origin === undefined ? undefined : new URL(origin).host;
}

/** A page of another origin must not reach us by a name that leads to this machine. */
function isLocal(host: string | undefined): boolean {
  return host === undefined || /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
}
