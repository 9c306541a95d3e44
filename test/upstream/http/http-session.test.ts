import { describe, expect, it } from 'vitest';
import { event, streamHead } from '../../fixtures/http/fault-server.mjs';
import { connect, failureOf, serverFor } from '../../fixtures/http/remote.ts';
import { waitFor, within } from '../../helpers/wait-for.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

describe('a session the server has forgotten', () => {
  it('is replaced once for all calls that run into it, and each call is made once', async () => {
    const done: unknown[] = [];
    const server = await serverFor({
      call: ({ arguments: { n } }) => {
        done.push(n);
        return `{"content":[],"n":${n}}`;
      },
    });
    const remote = await connect(server.url);
    for (let round = 0; round < 3; round++) {
      server.sessions.clear();
      const calls = [1, 2, 3, 4, 5].map((n) => remote.call({ n: round * 10 + n }));
      expect(await Promise.all(calls)).toEqual(
        [1, 2, 3, 4, 5].map((n) => `{"content":[],"n":${round * 10 + n}}`),
      );
    }
    expect(server.count('initialize')).toBe(4);
    expect(server.count('notifications/initialized')).toBe(4);
    expect(done).toHaveLength(15);
    expect(server.requests.find(({ message }) => message?.id === 'renewal')?.message?.params).toEqual(
      server.requests[0]?.message?.params,
    );
    const notices = remote.notifications.map(({ method }) => method);
    expect(notices).toEqual(Array(3).fill('notifications/tools/list_changed'));
  });

  it('is followed by one that is asked for the same log level and resources', async () => {
    const server = await serverFor();
    const { connection, ...remote } = await connect(server.url);
    const { peer } = connection;
    await peer.request('logging/setLevel', '{"level":"error"}');
    await peer.request('logging/setLevel', '{"level":"debug","n":1.0}');
    for (const uri of ['a', 'b']) await peer.request('resources/subscribe', `{"uri":"x://${uri}"}`);
    await peer.request('resources/unsubscribe', '{"uri":"x://a"}');
    server.sessions.clear();
    const before = server.requests.length;
    await peer.request('ping');
    const repeated = await waitFor('the repeated requests', () => {
      const later = server.requests.slice(before);
      const standing = later.filter(({ message }) => /^(logging|resources)/.test(message?.method ?? ''));
      return standing.length === 2 && standing;
    });
    expect(repeated.map(({ message }) => message?.params)).toEqual([
      { level: 'debug', n: 1 },
      { uri: 'x://b' },
    ]);
    expect(remote.faults).toEqual([]);
  });

  it('is recognised by the 400 that servers built from the usual examples answer', async () => {
    const server = await serverFor({
      faults: (req, res, message, { sessions }) => {
        const session = String(req.headers['mcp-session-id']);
        if (message?.method !== 'tools/call' || sessions.has(session)) return false;
        const error = '{"code":-32000,"message":"Bad Request: No valid session ID provided"}';
        res.writeHead(400, JSON_TYPE).end(`{"jsonrpc":"2.0","error":${error},"id":null}`);
        return true;
      },
    });
    const remote = await connect(server.url);
    server.sessions.clear();
    expect(await remote.call({ n: 2 })).toContain('did 2');
    expect(server.count('initialize')).toBe(2);
  });

  it.each(['', '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}'])(
    'leads to one repeat and no more: %s',
    async (body) => {
      const server = await serverFor({
        faults: (_req, res, message) => {
          if (message?.method !== 'tools/call') return false;
          res.writeHead(404, JSON_TYPE).end(body);
          return true;
        },
      });
      const remote = await connect(server.url);
      const failure = await failureOf(remote.call());
      expect(failure).toMatchObject({ code: 'upstream_invalid_message', facts: { httpStatus: 404 } });
      expect(server.count('tools/call')).toBe(2);
      expect(server.count('initialize')).toBe(2);
      expect(remote.closeReason).toBeUndefined();
    },
  );

  it('parks the server when the new session needs a login', async () => {
    let isLocked = false;
    const server = await serverFor({
      faults: (_req, res, message) => {
        if (!isLocked || message?.method !== 'initialize') return false;
        res.writeHead(401).end();
        return true;
      },
    });
    const remote = await connect(server.url);
    isLocked = true;
    server.sessions.clear();
    expect((await failureOf(remote.call())).code).toBe('upstream_needs_login');
    expect(remote.closeReason?.code).toBe('upstream_needs_login');
  });
});

describe('a response stream', () => {
  it.each(['ends', 'breaks'])(
    'that %s before the answer fails that call at once, and it is not repeated',
    async (how) => {
      const server = await serverFor({
        call: ({ arguments: { good } }, res, message) => {
          if (good) return '{"content":[]}';
          res.writeHead(200, streamHead);
          const progress = `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":${message.id}}}`;
          res.write(event(progress), () => (how === 'ends' ? res.end() : res.destroy()));
          return undefined;
        },
      });
      const remote = await connect(server.url);
      const failure = await within('the failure', 1000, failureOf(remote.call()));
      expect(failure.code).toBe('upstream_exited');
      expect(failure.message).toContain(how === 'ends' ? 'ended before the answer' : 'aborted');
      expect(server.count('tools/call')).toBe(1);
      expect(await remote.call({ good: true })).toBe('{"content":[]}');
      expect(remote.notifications).toHaveLength(1);
    },
  );

  it('with event ids goes on after the last one, at the pause asked for, and repeats are ignored', async () => {
    let brokenAt = 0;
    const message = (data: number) =>
      `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":${data}}}`;
    let answer = '';
    const server = await serverFor({
      faults: (req, res) => {
        if (req.method !== 'GET' || req.headers['last-event-id'] === undefined) return false;
        res.writeHead(200, streamHead);
        const isFirst = req.headers['last-event-id'] === 'a2';
        const replayed = event(message(1), 'a1') + event(message(2), 'a2') + event(message(3), 'a3');
        res.write(replayed, () => (isFirst ? res.destroy() : res.end(event(answer, 'a4'))));
        return true;
      },
      call: (_params, res, { id }) => {
        answer = `{"jsonrpc":"2.0","id":${id},"result":{"n":1.0}}`;
        res.writeHead(200, streamHead);
        res.write(`retry: 150\n\n${event(message(1), 'a1')}${event(message(2), 'a2')}`, () => {
          brokenAt = performance.now();
          res.destroy();
        });
        return undefined;
      },
    });
    const remote = await connect(server.url);
    expect(await remote.call()).toBe('{"n":1.0}');
    expect(performance.now() - brokenAt).toBeGreaterThanOrEqual(290);
    const resumed = server.requests.filter(({ headers }) => headers['last-event-id'] !== undefined);
    expect(resumed.map(({ headers }) => headers['last-event-id'])).toEqual(['a2', 'a3']);
    expect(resumed[0]?.headers['mcp-session-id']).toBe('session-1');
    expect(remote.notifications).toHaveLength(3);
    expect(server.count('tools/call')).toBe(1);
  });

  it('may have any text for ids: it travels back as the bytes it was', async () => {
    const server = await serverFor({
      faults: (req, res) => {
        const lastId = req.headers['last-event-id'];
        if (lastId === undefined) return false;
        const text = Buffer.from(String(lastId), 'latin1').toString('utf8');
        res.writeHead(200, streamHead);
        res.end(event(`{"jsonrpc":"2.0","id":2,"result":${JSON.stringify({ text })}}`));
        return true;
      },
      call: (_params, res) => {
        res.writeHead(200, streamHead).end('retry: 0\nid: añ→😀\n\n');
        return undefined;
      },
    });
    const remote = await connect(server.url);
    expect(await remote.call()).toBe('{"text":"añ→😀"}');
  });

  it('may give all its events the same id', async () => {
    const message = '{"jsonrpc":"2.0","method":"notifications/message"}';
    const server = await serverFor({
      call: (_params, res, { id }) => {
        const answer = `{"jsonrpc":"2.0","id":${id},"result":{"n":1.0}}`;
        res.writeHead(200, streamHead).end(event(message, 's') + event(message, 's') + event(answer, 's'));
        return undefined;
      },
    });
    const remote = await connect(server.url);
    expect(await remote.call()).toBe('{"n":1.0}');
    expect(remote.notifications).toHaveLength(2);
  });

  it('that cannot be continued fails the call with what the server said', async () => {
    const server = await serverFor({
      faults: (req, res) => {
        if (req.headers['last-event-id'] === undefined) return false;
        res.writeHead(410).end('gone for good');
        return true;
      },
      call: (_params, res) => {
        res.writeHead(200, streamHead).end('retry: 1\nid: x\ndata:\n\n');
        return undefined;
      },
    });
    const remote = await connect(server.url);
    const failure = await failureOf(remote.call());
    expect(failure).toMatchObject({ code: 'upstream_exited', facts: { httpStatus: 410 } });
    expect(failure.message).toContain('gone for good');
  });
});

describe('the stream of server messages', () => {
  it('brings notifications and requests, and opens again when it breaks', async () => {
    const server = await serverFor({ hasStream: true });
    const remote = await connect(server.url);
    await waitFor('the stream', () => server.streams.size === 1);
    server.announce('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}', 'e1');
    server.announce('{"jsonrpc":"2.0","id":"ask","method":"roots/list"}', 'e2');
    await waitFor('the request', () => remote.requests.length === 1);
    remote.requests[0]?.result('{"roots":[{"uri":"file:///x","n":1.0}]}');
    await waitFor('its answer', () => server.requests.some(({ message }) => message?.result !== undefined));
    for (const stream of server.streams) stream.write('retry: 20\n\n', () => stream.destroy());
    await waitFor('a second stream', () => server.count('GET') === 2 && server.streams.size === 1);
    const again = server.requests.findLast(({ method }) => method === 'GET');
    expect(again?.headers['last-event-id']).toBe('e2');
    server.announce('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}', 'e2');
    server.announce('{"jsonrpc":"2.0","method":"notifications/message"}', 'e3');
    await waitFor('the next message', () => remote.notifications.length === 2);
    expect(remote.notifications.map(({ method }) => method)).toEqual([
      'notifications/tools/list_changed',
      'notifications/message',
    ]);
    expect(server.peak.get('GET')).toBe(1);
  });

  it('is not asked for again by a server that has none', async () => {
    const server = await serverFor();
    const remote = await connect(server.url);
    await waitFor('the refusal', () => server.count('GET') === 1);
    for (let n = 0; n < 5; n++) await remote.call({ n });
    expect(server.count('GET')).toBe(1);
    expect(remote.faults).toEqual([]);
  });
});
