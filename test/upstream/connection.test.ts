import { describe, expect, it, vi } from 'vitest';
import { ToolsiftError } from '../../src/errors.ts';
import type { NotificationFrame } from '../../src/jsonrpc/frame.ts';
import type { IncomingRequest } from '../../src/jsonrpc/incoming-request.ts';
import { openConnection } from '../../src/upstream/connection.ts';
import { settled } from './fake-clock.ts';
import { type Answer, FakeServer } from './fake-server.ts';

const PARAMS = '{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"x":1.0}';

function open(server: FakeServer, signal = new AbortController().signal) {
  const requests: string[] = [];
  const notifications: string[] = [];
  const onclose = vi.fn<(reason: ToolsiftError) => void>();
  const handlers = {
    onnotification: (frame: NotificationFrame) => notifications.push(frame.method),
    onfault: () => {},
    onclose,
  };
  const opening = openConnection({
    link: server.link,
    initializeParams: PARAMS,
    quote: (text) => text,
    members: new Set([
      { asked: (request: IncomingRequest) => requests.push(request.frame.method), told: () => {} },
    ]),
    handlers,
    signal,
  });
  return { opening, requests, notifications, onclose };
}

const serverWith = (initialize: Answer) => new FakeServer({ on: { initialize } });

describe('openConnection', () => {
  it('shakes hands with the parameters as they are and keeps the answer as it was written', async () => {
    const server = new FakeServer({ capabilities: '{"tools":{},"x-own":{}}' });
    const connection = await open(server).opening;
    await settled();
    expect(server.received).toEqual([
      `{"jsonrpc":"2.0","id":1,"method":"initialize","params":${PARAMS}}`,
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    ]);
    expect(connection.initializeResult).toContain('"n":1.0}');
    expect([...connection.capabilities]).toEqual(['tools', 'x-own']);
  });

  it('answers pings by itself and hands on every other request and notification', async () => {
    const server = new FakeServer();
    const { opening, requests, notifications } = open(server);
    await opening;
    const pong = await server.peer.request('ping');
    server.peer.request('roots/list').catch(() => {});
    server.peer.notify('notifications/message');
    await settled();
    expect(pong.bytes.toString()).toBe('{"jsonrpc":"2.0","id":1,"result":{}}');
    expect([requests, notifications]).toEqual([['roots/list'], ['notifications/message']]);
  });

  it('hears what the server says before it answers initialize', async () => {
    const server = serverWith((request) => {
      server.peer.notify('notifications/early');
      request.result('{}');
      return undefined;
    });
    const { opening, notifications } = open(server);
    await opening;
    expect(notifications).toEqual(['notifications/early']);
  });

  it('fails with what the server said when it refuses, and leaves nothing open', async () => {
    const server = serverWith((request) => {
      request.error(-32602, 'Unsupported protocol version');
      return undefined;
    });
    const { opening, onclose } = open(server);
    await expect(opening).rejects.toMatchObject({
      code: 'upstream_start_failed',
      message: 'answered initialize with error -32602: Unsupported protocol version',
    });
    await settled();
    expect(server.peer.isClosed).toBe(true);
    expect(onclose).not.toHaveBeenCalled();
  });

  it('fails when the server ends before it has answered', async () => {
    const server = serverWith(() => undefined);
    const { opening, onclose } = open(server);
    await settled();
    await server.peer.close();
    await expect(opening).rejects.toMatchObject({ code: 'upstream_exited' });
    expect(onclose).not.toHaveBeenCalled();
  });

  it('fails with the reason of its signal when that fires first, and closes the link', async () => {
    const server = serverWith(() => undefined);
    const abort = new AbortController();
    const { opening } = open(server, abort.signal);
    await settled();
    abort.abort(new ToolsiftError('upstream_unavailable', 'shutting down'));
    await expect(opening).rejects.toThrow('shutting down');
    await settled();
    expect(server.peer.isClosed).toBe(true);
  });

  it('fails when the link cannot be started', async () => {
    const server = new FakeServer();
    const failure = new ToolsiftError('server_config_invalid', 'command "nope" was not found');
    server.link.start = () => Promise.reject(failure);
    await expect(open(server).opening).rejects.toBe(failure);
  });

  it('tells once that an open session has ended, with a code', async () => {
    const server = new FakeServer();
    const { opening, onclose } = open(server);
    await opening;
    await server.peer.close();
    await settled();
    expect(onclose).toHaveBeenCalledOnce();
    expect(onclose.mock.calls[0]?.[0]).toMatchObject({ code: 'upstream_exited' });
  });
});
