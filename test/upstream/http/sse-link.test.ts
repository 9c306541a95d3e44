import { describe, expect, it, onTestFinished } from 'vitest';
import { oddAnswer, oddAnswers } from '../../fixtures/http/odd-answers.ts';
import { connect, connectFailure, failureOf } from '../../fixtures/http/remote.ts';
import { type SseServerOptions, startSseServer } from '../../fixtures/http/sse-server.mjs';
import { waitFor, within } from '../../helpers/wait-for.ts';

async function serverFor(options: SseServerOptions = {}) {
  const server = await startSseServer(options);
  onTestFinished(() => server.close());
  return server;
}

describe('a server of the HTTP+SSE transport', () => {
  it.each(['sse', 'auto'] as const)('is connected to, called and left, with "%s"', async (transport) => {
    const server = await serverFor();
    const remote = await connect(`${server.url}?key=1`, {
      transport,
      headers: { Authorization: 'Bearer abc' },
    });
    expect(await remote.call({})).toBe('{"content":[],"n":1.0}');
    const posts = server.requests.filter(({ url }) => url === '/messages?session=s%201');
    expect(posts.map(({ message }) => message?.method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/call',
    ]);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(
      server.requests.map(() => 'Bearer abc'),
    );
    expect(posts.at(-1)?.headers['mcp-protocol-version']).toBe('2024-11-05');
    await remote.connection.close();
    await waitFor('no connections', async () => (await server.connections()) === 0);
    expect(remote.closeReason?.message).toContain('closed');
  });

  it.each([400, 404, 405])('is found behind a %i to the first POST', async (otherStatus) => {
    const server = await serverFor({ otherStatus });
    const remote = await connect(server.url);
    expect(await remote.call({})).toBe('{"content":[],"n":1.0}');
  });

  it('is not looked for when the entry says "http"', async () => {
    const server = await serverFor();
    const failure = await connectFailure(server.url, { transport: 'http' });
    expect(failure).toMatchObject({ code: 'server_config_invalid', facts: { httpStatus: 405 } });
    expect(server.requests).toHaveLength(1);
  });

  it('hands on every odd answer as the text it was', async () => {
    const server = await serverFor({
      call: ({ id, params }, sse) => {
        const { odd } = (params as { arguments: { odd: string } }).arguments;
        sse.send(oddAnswer(odd, id));
        return 'none';
      },
    });
    const remote = await connect(server.url, { transport: 'sse' });
    for (const { name, part } of oddAnswers) expect(await remote.call({ odd: name }), name).toBe(part);
  });

  it('ends the connection when its stream ends, and fails what was waiting', async () => {
    const server = await serverFor({ call: () => 'none' });
    const remote = await connect(server.url, { transport: 'sse' });
    const call = failureOf(remote.call({}));
    await waitFor('the call', () => server.requests.some(({ message }) => message?.method === 'tools/call'));
    server.stream.end();
    expect(await within('the failure', 1000, call)).toMatchObject({ code: 'upstream_exited' });
    expect(remote.closeReason?.message).toContain('ended its event stream');
    const requests = server.requests.length;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(server.requests, 'nobody but the supervisor connects again').toHaveLength(requests);
  });

  it('passes requests of the server and their answers', async () => {
    const server = await serverFor();
    const remote = await connect(server.url, { transport: 'sse' });
    server.send('{"jsonrpc":"2.0","id":"ask","method":"sampling/createMessage","params":{"n":1.0}}');
    await waitFor('the request', () => remote.requests.length === 1);
    remote.requests[0]?.result('{"role":"user"}');
    await waitFor('the answer', () => server.requests.some(({ message }) => message?.result !== undefined));
  });

  it.each([
    [401, 'upstream_needs_login'],
    [403, 'server_config_invalid'],
    [404, 'server_config_invalid'],
    [503, 'upstream_start_failed'],
    [302, 'server_config_invalid'],
    [200, 'upstream_start_failed'],
  ])('that answers %i to the stream fails with %s', async (status, code) => {
    const server = await serverFor({
      faults: (_req, res) => {
        res.writeHead(status, { location: 'https://elsewhere.test/x' }).end('no');
        return true;
      },
    });
    const failure = await connectFailure(server.url, { transport: 'sse' });
    expect(failure).toMatchObject({ code, facts: { httpStatus: status } });
    expect(server.requests).toHaveLength(1);
  });

  it('may not send us to another origin', async () => {
    const server = await serverFor({ endpoint: 'http://127.0.0.1:1/messages' });
    const failure = await connectFailure(server.url, { transport: 'sse' });
    expect(failure.code).toBe('upstream_start_failed');
    expect(failure.message).toContain('origin');
    await waitFor('no connections', async () => (await server.connections()) === 0);
  });

  it('fails a call whose POST is refused, and ends the connection when the session is gone', async () => {
    let status = 500;
    const server = await serverFor({
      faults: (_req, res, message) => {
        if (message?.method !== 'tools/call') return false;
        res.writeHead(status).end('no');
        return true;
      },
    });
    const remote = await connect(server.url, { transport: 'sse' });
    expect(await failureOf(remote.call({}))).toMatchObject({ code: 'upstream_invalid_message' });
    expect(remote.closeReason).toBeUndefined();
    status = 404;
    expect(await failureOf(remote.call({}))).toMatchObject({ facts: { httpStatus: 404 } });
    expect(remote.closeReason?.facts.httpStatus).toBe(404);
  });

  it('that opens a stream and never says where to POST is given up with the attempt', async () => {
    const server = await serverFor({
      faults: (_req, res) => {
        res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        return true;
      },
    });
    const abort = new AbortController();
    const attempt = failureOf(connect(server.url, { transport: 'sse' }, abort.signal));
    await waitFor('the stream', () => server.requests.length === 1);
    abort.abort(new Error('given up'));
    expect((await within('the end', 1000, attempt)).message).toBe('given up');
    await waitFor('no connections', async () => (await server.connections()) === 0);
  });
});
