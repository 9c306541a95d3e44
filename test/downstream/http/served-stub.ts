import { onTestFinished } from 'vitest';
import { ANYBODY } from '../../../src/downstream/http/authenticator.ts';
import { type FrontOptions, HttpFront } from '../../../src/downstream/http/front.ts';
import { HostRules } from '../../../src/downstream/http/host-rules.ts';
import type { ProtectedResource } from '../../../src/downstream/http/protected-resource.ts';
import { HttpSessions, type SessionsOptions } from '../../../src/downstream/http/sessions.ts';
import { createLogger } from '../../../src/log.ts';
import type { Caller } from '../../../src/policy/access.ts';
import { StubConversation } from './stub-conversation.ts';

export interface StubOptions
  extends Partial<Omit<FrontOptions, 'sessions' | 'hosts' | 'resource'>>,
    Partial<SessionsOptions> {
  readonly resource?: ProtectedResource;
  readonly allowedOrigins?: readonly string[];
  readonly allowedHosts?: readonly string[];
}

/** Our HTTP server on a free port, in front of conversations that the test holds in its hands. */
export async function serveStub(options: StubOptions = {}) {
  const conversations: StubConversation[] = [];
  const callers: Caller[] = [];
  const lines: string[] = [];
  const sessions = new HttpSessions({
    maxSessions: 100,
    maxSessionsOfCaller: 100,
    idleMs: 60_000,
    open: (link, caller) => {
      callers.push(caller);
      conversations.push(new StubConversation(link));
    },
    ...options,
  });
  const front = new HttpFront({
    path: '/mcp',
    hosts: new HostRules({
      host: '127.0.0.1',
      allowedHosts: options.allowedHosts ?? [],
      allowedOrigins: options.allowedOrigins ?? [],
    }),
    authenticator: ANYBODY,
    maxBodyBytes: 1024 * 1024,
    maxOpenCalls: 16,
    observer: { onrequest: () => {}, metrics: async () => ({ type: 'text/plain', text: 'none' }) },
    log: createLogger('info', (line) => lines.push(line)),
    ...options,
    resource: () => options.resource,
    sessions,
  });
  const { port } = await front.listen(0, '127.0.0.1');
  onTestFinished(() => front.close());
  return {
    front,
    sessions,
    conversations,
    callers,
    lines,
    port,
    origin: `http://127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}/mcp`,
  };
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

/** Opens a session; returns the headers that later requests carry. */
export async function openSession(url: string, headers: Record<string, string> = {}) {
  const response = await post(url, INITIALIZE, headers);
  const id = response.headers.get('mcp-session-id');
  if (response.status !== 200 || id === null) throw new Error(`${response.status} ${await response.text()}`);
  await response.text();
  return { ...headers, 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
}

export const call = (id: number | string, name: string, args: unknown = {}, meta?: unknown) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) },
});
