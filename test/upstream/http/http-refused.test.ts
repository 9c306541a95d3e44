import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { event, type FaultServerOptions, streamHead } from '../../fixtures/http/fault-server.mjs';
import { connect, failureOf, serverFor } from '../../fixtures/http/remote.ts';
import { startSseServer } from '../../fixtures/http/sse-server.mjs';
import { waitFor } from '../../helpers/wait-for.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const SESSION_ERROR = '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}';

type Refuse = (res: ServerResponse, id: unknown) => void;
/** Ways in which servers say that they know a session no more. */
const FORGOTTEN: Readonly<Record<string, Refuse>> = {
  '401 in words': (res) => res.writeHead(401).end('Unauthorized: Session not found'),
  '401 without a word': (res) => res.writeHead(401, { 'www-authenticate': 'Bearer' }).end(),
  '200 and an error': (res) => res.writeHead(200, JSON_TYPE).end(SESSION_ERROR),
  '200 and an error under the id': (res, id) =>
    res.writeHead(200, JSON_TYPE).end(SESSION_ERROR.replace('null', JSON.stringify(id))),
  '200 and an error as an event': (res) => res.writeHead(200, streamHead).end(event(SESSION_ERROR)),
  '200 and a stream that stays open': (res) => res.writeHead(200, streamHead).write(event(SESSION_ERROR)),
};

/** A server that answers so to every request of a session it does not know. */
function forgetting(refuse: Refuse, isLocked = () => false): FaultServerOptions {
  return {
    faults: (req: IncomingMessage, res, message, { sessions }) => {
      const isInitialize = message?.method === 'initialize';
      const isKnown = sessions.has(String(req.headers['mcp-session-id']));
      if (isInitialize ? !isLocked() : isKnown || req.method !== 'POST') return false;
      if (isInitialize) res.writeHead(401).end();
      else refuse(res, message?.id);
      return true;
    },
  };
}

describe('a session that a server has forgotten', () => {
  it.each(Object.keys(FORGOTTEN))(
    'and speaks of by %s is replaced once, each call made once',
    async (how) => {
      const refuse = FORGOTTEN[how] as Refuse;
      const server = await serverFor(forgetting(refuse));
      const remote = await connect(server.url, { headers: { Authorization: 'Bearer good' } });
      server.sessions.clear();
      const answers = await Promise.all([1, 2, 3].map((n) => remote.call({ n })));
      expect(answers.map((text) => /did \d/.exec(text)?.[0])).toEqual(['did 1', 'did 2', 'did 3']);
      expect(server.count('initialize')).toBe(2);
      expect(server.count('ping')).toBeLessThanOrEqual(3);
      expect(remote.closeReason).toBeUndefined();
    },
  );

  it('parks the server when the new one needs a login', async () => {
    let isLocked = false;
    const server = await serverFor(
      forgetting(
        (res) => res.writeHead(401).end(),
        () => isLocked,
      ),
    );
    const remote = await connect(server.url);
    isLocked = true;
    server.sessions.clear();
    expect((await failureOf(remote.call())).code).toBe('upstream_needs_login');
    expect(remote.closeReason?.code).toBe('upstream_needs_login');
  });

  it('is replaced without a call when its stream of messages is refused', async () => {
    const server = await serverFor({ hasStream: true });
    const remote = await connect(server.url);
    await waitFor('the stream', () => server.streams.size === 1);
    server.sessions.clear();
    for (const stream of server.streams) stream.write('retry: 0\nid: 1\n\n', () => stream.destroy());
    await waitFor(
      'a new session with its stream',
      () => server.sessions.size === 1 && server.streams.size === 1,
    );
    expect(server.count('initialize')).toBe(2);
    expect(remote.notifications.map(({ method }) => method)).toEqual(['notifications/tools/list_changed']);
  });
});

describe('a call that a server refuses in a session that it knows', () => {
  it.each([
    ['401', (res: ServerResponse) => void res.writeHead(401, { 'www-authenticate': 'Bearer' }).end('{}')],
    ['401 that speaks of a session', (res: ServerResponse) => void res.writeHead(401).end('Session expired')],
  ])('with %s fails alone, and says that a credential is missing', async (_how, refuse) => {
    for (const hasSessions of [true, false]) {
      const server = await serverFor({
        hasSessions,
        call: ({ arguments: { isPublic } }, res) => {
          if (isPublic) return '{"n":1.0}';
          refuse(res);
          return undefined;
        },
      });
      const remote = await connect(server.url);
      for (let n = 0; n < 2; n++) {
        const failure = await failureOf(remote.call());
        expect(failure).toMatchObject({ code: 'upstream_needs_login', facts: { httpStatus: 401 } });
        expect(failure.message).toMatch(/credential/);
        expect(await remote.call({ isPublic: true })).toBe('{"n":1.0}');
      }
      expect(server.count('initialize')).toBe(1);
      expect(server.count('tools/call')).toBe(4);
      expect(remote.closeReason).toBeUndefined();
    }
  });

  it('with an error of the tool that speaks of sessions gets that error, and is made once', async () => {
    const error = '{"code":-32000,"message":"browser session not found","data":1.0}';
    const server = await serverFor({
      call: (_params, res, { id }) => {
        res.writeHead(200, JSON_TYPE).end(`{"jsonrpc":"2.0","id":${id},"error":${error}}`);
        return undefined;
      },
    });
    const remote = await connect(server.url);
    expect(await remote.call()).toBe(error);
    expect(server.count('tools/call')).toBe(1);
    expect(server.count('initialize')).toBe(1);
  });

  it.each(['7777', '"other"', '1.0', '{}'])(
    'with a 4xx error under the id %s is answered with it',
    async (id) => {
      const server = await serverFor({
        call: (_params, res) => {
          res
            .writeHead(405, JSON_TYPE)
            .end(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32000,"message":"no"}}`);
          return undefined;
        },
      });
      const remote = await connect(server.url);
      expect(await remote.call()).toBe('{"code":-32000,"message":"no"}');
    },
  );
});

describe('over HTTP+SSE a 401', () => {
  it.each([
    ["of one call is that call's error", 'tools/call', undefined],
    [
      'of everything ends the connection, so that the next one shows whether a login is missing',
      /./,
      'upstream_exited',
    ],
  ])('%s', async (_what, refused, closeCode) => {
    let isLocked = false;
    const server = await startSseServer({
      faults: (_req, res, message) => {
        if (!isLocked || !message?.method?.match(refused)) return false;
        res.writeHead(401).end();
        return true;
      },
    });
    onTestFinished(() => server.close());
    const remote = await connect(server.url, { transport: 'sse' });
    isLocked = true;
    expect((await failureOf(remote.call())).code).toBe('upstream_needs_login');
    if (closeCode === undefined) {
      await waitFor('the ping', () => server.requests.some(({ message }) => message?.method === 'ping'));
      isLocked = false;
      expect(await remote.call()).toBe('{"content":[],"n":1.0}');
      expect(remote.closeReason).toBeUndefined();
      expect(remote.faults).toHaveLength(1);
    } else await waitFor('the end', () => remote.closeReason?.code === closeCode);
  });
});
