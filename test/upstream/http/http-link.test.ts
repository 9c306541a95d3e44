import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { event, streamHead } from '../../fixtures/http/fault-server.mjs';
import { oddAnswer, oddAnswers } from '../../fixtures/http/odd-answers.ts';
import { connect, failureOf, serverFor } from '../../fixtures/http/remote.ts';
import { waitFor, within } from '../../helpers/wait-for.ts';

const idText = (id: unknown) => JSON.stringify(id);
const isCall = (message: { method?: string } | undefined) => message?.method === 'tools/call';

describe('HttpLink', () => {
  it('sends the configured headers, the session and the negotiated version, to the URL as written', async () => {
    const server = await serverFor();
    const url = `${server.url}/deep?key=a%20b`;
    const remote = await connect(url, { headers: { Authorization: 'Bearer abc', 'X-Team': 'é' } });
    expect(await remote.call({ n: 1 })).toBe('{"content":[{"type":"text","text":"did 1"}]}');
    const [initialize, , ...rest] = server.requests.filter(({ method }) => method === 'POST');
    const call = rest.find(({ message }) => isCall(message));
    expect(initialize?.headers['mcp-session-id']).toBeUndefined();
    expect(call?.url).toBe('/mcp/deep?key=a%20b');
    expect(call?.headers).toMatchObject({
      authorization: 'Bearer abc',
      'x-team': 'é',
      'mcp-session-id': 'session-1',
      'mcp-protocol-version': '2025-06-18',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    });
  });

  it.each([
    ['us%40er:p%C3%A4ss', 'us@er:päss'],
    ['user:100%', 'user:100%'],
    ['token', 'token:'],
  ])('turns the user info %s of the URL into a header', async (userInfo, credentials) => {
    const server = await serverFor();
    await connect(server.url.replace('//', `//${userInfo}@`));
    const expected = `Basic ${Buffer.from(credentials).toString('base64')}`;
    expect(server.requests[0]?.headers.authorization).toBe(expected);
  });

  it.each(['as JSON', 'as a stream'])('hands on every odd answer as the text it was, %s', async (form) => {
    const server = await serverFor({
      call: (params, res, message) => {
        const line = oddAnswer(params.arguments.odd, message.id);
        if (form === 'as JSON') res.writeHead(200, { 'content-type': 'application/json' }).end(line);
        else res.writeHead(200, streamHead).end(event(line));
        return undefined;
      },
    });
    const remote = await connect(server.url);
    for (const { name, part } of oddAnswers) expect(await remote.call({ odd: name }), name).toBe(part);
    expect(oddAnswers.length).toBeGreaterThan(30);
  });

  it('puts characters together that a slow server cuts apart', async () => {
    const text = '{"content":[{"type":"text","text":"añ→😀"}],"n":9007199254740993}';
    const server = await serverFor({
      call: async ({ arguments: { stream } }, res, message) => {
        const answer = `{"jsonrpc":"2.0","id":${idText(message.id)},"result":${text}}`;
        res.writeHead(200, stream ? streamHead : { 'content-type': 'application/json; charset=utf-8' });
        for (const byte of Buffer.from(stream ? event(answer) : answer)) {
          res.write(Buffer.from([byte]));
          await new Promise((resolve) => setImmediate(resolve));
        }
        res.end();
        return undefined;
      },
    });
    const remote = await connect(server.url);
    expect(await remote.call({ stream: false })).toBe(text);
    expect(await remote.call({ stream: true })).toBe(text);
  });

  it.each([false, true])('moves a result of 100 MB, as a stream: %s', async (answersAsStream) => {
    const big = `{"content":[{"type":"text","text":"${'x'.repeat(100 * 1024 * 1024)}"}]}`;
    const server = await serverFor({ answersAsStream, call: () => big });
    const remote = await connect(server.url);
    expect((await remote.call()) === big).toBe(true);
  });

  it.each([false, true])(
    'refuses a message above the limit and nothing else, as a stream: %s',
    async (stream) => {
      const server = await serverFor({
        answersAsStream: stream,
        call: ({ arguments: { size } }) => `{"content":[],"pad":"${'x'.repeat(Number(size))}"}`,
      });
      const remote = await connect(server.url, { maxMessageBytes: 20_000 });
      const failure = await failureOf(remote.call({ size: 300_000 }));
      expect(failure.code).toBe('message_too_large');
      expect(await remote.call({ size: 10_000 })).toHaveLength(10_000 + '{"content":[],"pad":""}'.length);
    },
  );

  it('goes on with a call in whose stream a request of the server was too large', async () => {
    const server = await serverFor({
      call: (_params, res, { id }) => {
        const request = `{"jsonrpc":"2.0","id":"ask","method":"x","params":{"pad":"${'x'.repeat(30_000)}"}}`;
        const answer = `{"jsonrpc":"2.0","id":${id},"result":{"n":1.0}}`;
        res.writeHead(200, streamHead).end(event(request) + event(answer));
        return undefined;
      },
    });
    const remote = await connect(server.url, { maxMessageBytes: 20_000 });
    expect(await remote.call()).toBe('{"n":1.0}');
    expect(remote.faults).toMatchObject([{ kind: 'oversize', id: '"ask"' }]);
  });

  it('reads compressed answers, events as they come', async () => {
    const server = await serverFor({
      call: (_params, res, message) => {
        const text = `{"jsonrpc":"2.0","id":${idText(message.id)},"result":{"content":[],"n":1.0}}`;
        res.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
        res.end(gzipSync(text));
        return undefined;
      },
    });
    const remote = await connect(server.url);
    expect(await remote.call()).toBe('{"content":[],"n":1.0}');
    expect(server.requests[0]?.headers['accept-encoding']).toContain('gzip');
  });

  it('keeps many calls in flight and connections alive', async () => {
    const server = await serverFor({
      call: async ({ arguments: { n } }) => {
        await waitFor('all calls', () => (server.peak.get('tools/call') ?? 0) >= 32);
        return `{"content":[],"n":${n}}`;
      },
    });
    const remote = await connect(server.url);
    const answers = await Promise.all(Array.from({ length: 32 }, (_, n) => remote.call({ n })));
    expect(answers).toEqual(Array.from({ length: 32 }, (_, n) => `{"content":[],"n":${n}}`));
    const before = await server.connections();
    for (let n = 0; n < 10; n++) await remote.call({ n });
    expect(await server.connections()).toBe(before);
  });

  it('tells the server of a cancellation, then ends the request', async () => {
    let isEnded = false;
    const server = await serverFor({
      call: (_params, res) => {
        res.once('close', () => {
          isEnded = server.count('notifications/cancelled') === 1;
        });
        return undefined;
      },
    });
    const remote = await connect(server.url);
    const abort = new AbortController();
    const call = failureOf(remote.call({}, abort.signal));
    await waitFor('the call', () => server.count('tools/call') === 1);
    abort.abort(new Error('not wanted'));
    expect((await call).message).toBe('not wanted');
    await waitFor('the end of the request', () => isEnded);
    expect(remote.closeReason).toBeUndefined();
  });

  it('ends the session on close, leaves no connection, and does not wait for a server that hangs', async () => {
    const server = await serverFor({ hasStream: true });
    const remote = await connect(server.url);
    await waitFor('the stream', () => server.streams.size === 1);
    await remote.connection.close();
    expect(server.requests.at(-1)).toMatchObject({
      method: 'DELETE',
      headers: { 'mcp-session-id': 'session-1' },
    });
    await waitFor('no connections', async () => (await server.connections()) === 0);
    const hanging = await serverFor({ faults: (req) => req.method === 'DELETE' });
    const other = await connect(hanging.url);
    await within('close', 1500, other.connection.close());
    await waitFor('no connections', async () => (await hanging.connections()) === 0);
  });
});
