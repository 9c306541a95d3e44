import { describe, expect, it } from 'vitest';
import { TransparentSession } from '../../src/downstream/transparent-session.ts';
import { textOf } from '../../src/jsonrpc/frame.ts';
import type { IncomingRequest } from '../../src/jsonrpc/incoming-request.ts';
import { createLinkedLinks } from '../../src/jsonrpc/linked-links.ts';
import { createLogger } from '../../src/log.ts';
import { peerOn } from '../jsonrpc/messages.ts';
import { settled } from '../upstream/fake-clock.ts';
import { FakeUpstream, type FakeUpstreamOptions, viewsOf } from './fake-upstream.ts';

const GREETING = '{"serverInfo":{"name":"own"},"instructions":"mine","n":1.0}';
const HELLO = '{"protocolVersion":"2025-11-25","capabilities":{"x":1.0}}';

function open(options: FakeUpstreamOptions = {}) {
  const upstream = new FakeUpstream('a', { ...options, initializeResult: GREETING });
  const [ours, theirs] = createLinkedLinks();
  const params: string[] = [];
  const requests: IncomingRequest[] = [];
  const notifications: string[] = [];
  const session = new TransparentSession({
    link: theirs,
    server: 'a',
    log: createLogger('silent'),
    enter: (text) => {
      if (text !== undefined) params.push(text);
      return { upstreams: viewsOf(upstream), attach: () => {} };
    },
    onclose: () => {},
  });
  const client = peerOn(ours, {
    onrequest: (request) => requests.push(request),
    onnotification: (frame) => notifications.push(frame.bytes.toString()),
    onclose: () => {},
    onfault: () => {},
  });
  void session.start();
  const ask = async (method: string, text?: string) => {
    const answer = await client.request(method, text);
    return textOf(answer, answer.result ?? answer.error ?? { start: 0, end: 0 });
  };
  return { upstream, session, client, params, requests, notifications, ask };
}

describe('a server that is put through as it is', () => {
  it('greets the client in its own words, and gets the parameters of the client', async () => {
    const { ask, params } = open();
    expect(await ask('initialize', HELLO)).toBe(GREETING);
    expect(params).toEqual([HELLO]);
  });

  it('answers every other request itself, byte for byte', async () => {
    const { upstream, ask } = open({ on: { 'tools/call': () => '{"n":1e400}', 'x/y': () => '[1.0]' } });
    expect(await ask('tools/call', '{"name":"search_tools","n":1.0}')).toBe('{"n":1e400}');
    expect(await ask('x/y')).toBe('[1.0]');
    expect(upstream.server.receivedOf('tools/call')[0]).toContain('"params":{"name":"search_tools","n":1.0}');
  });

  it('hears the notices of the client, but is told only once that it is initialized', async () => {
    const { upstream, client } = open();
    client.notify('notifications/initialized');
    client.notify('notifications/roots/list_changed', '{"n":1.0}');
    await settled();
    expect(upstream.server.received).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/roots/list_changed","params":{"n":1.0}}',
    ]);
  });

  it('asks the client and is answered, and its notices reach the client as they are', async () => {
    const { upstream, session, requests, notifications } = open();
    upstream.onrequest = (request) => {
      if (upstream.peer !== undefined)
        session.upstreamRequest(request, { server: upstream.peer, relatedRequest: undefined });
    };
    upstream.onnotification = (frame) => session.upstreamNotification('a', frame);
    const asked = upstream.server.peer.request('vendor/ask', '{"n":1.0}');
    upstream.server.peer.notify('notifications/tools/list_changed', '{"n":1.0}');
    await settled();
    requests[0]?.result('{"m":1.0}');
    expect((await asked).bytes.toString()).toContain('"result":{"m":1.0}');
    expect(notifications).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"n":1.0}}',
    ]);
  });

  it('is named when it cannot be started', async () => {
    const { ask } = open({ state: 'failed' });
    for (const method of ['initialize', 'tools/list']) {
      expect(JSON.parse(await ask(method, '{}'))).toMatchObject({
        code: -32603,
        message: expect.stringContaining('server "a"'),
        data: { server: 'a' },
      });
    }
  });
});
