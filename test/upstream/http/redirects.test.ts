import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isWithinOrigin } from '../../../src/upstream/http/redirects.ts';
import { startForwardProxy } from '../../fixtures/http/forward-proxy.mjs';
import { connect, connectFailure, failureOf, serverFor } from '../../fixtures/http/remote.ts';
import { throughToolsift } from '../../fixtures/http/through-toolsift.ts';
import { waitFor } from '../../helpers/wait-for.ts';

const file = (name: string) => fileURLToPath(new URL(`../../fixtures/http/${name}`, import.meta.url));
const authorization = 'Bearer for-one-origin';

describe('a redirect within the origin', () => {
  it.each([301, 302, 303, 307, 308])('by %i is followed where the request stays a GET', async (status) => {
    const server = await serverFor({
      hasStream: true,
      faults: (req, res) => {
        if (req.method !== 'GET' || req.url !== '/mcp') return false;
        res.writeHead(status, { location: '/moved?to=here' }).end('moved');
        return true;
      },
    });
    const remote = await connect(server.url, { headers: { authorization } });
    await waitFor('the stream', () => server.streams.size === 1);
    server.announce('{"jsonrpc":"2.0","method":"notifications/message"}');
    await waitFor('the message', () => remote.notifications.length === 1);
    const moved = server.requests.find(({ url }) => url === '/moved?to=here');
    expect(moved?.headers).toMatchObject({
      authorization,
      accept: 'text/event-stream',
      'mcp-session-id': 'session-1',
      'mcp-protocol-version': '2025-06-18',
    });
  });

  it.each([
    [307, true],
    [308, true],
    [301, false],
    [302, false],
    [303, false],
  ])('by %i is followed with the body of a POST: %s', async (status, isFollowed) => {
    const server = await serverFor({
      faults: (req, res, message) => {
        if (message?.method !== 'tools/call' || req.url !== '/mcp') return false;
        res.writeHead(status, { location: '/moved' }).end('moved');
        return true;
      },
    });
    const remote = await connect(server.url);
    const call = remote.call({ n: 4 });
    if (isFollowed) expect(await call).toContain('did 4');
    else expect((await failureOf(call)).message).toContain(`${server.url.replace('/mcp', '/moved')}, which`);
    const requests = server.requests.filter(({ url }) => url === '/moved');
    expect(requests.map(({ method }) => method)).toEqual(isFollowed ? ['POST'] : []);
  });

  it('that leads round in circles ends', async () => {
    const server = await serverFor({
      faults: (_req, res) => {
        res.writeHead(307, { location: '/mcp' }).end();
        return true;
      },
    });
    const failure = await connectFailure(server.url);
    expect(failure).toMatchObject({ code: 'server_config_invalid', facts: { httpStatus: 307 } });
    expect(server.requests).toHaveLength(6);
  });
});

describe('a redirect to another origin', () => {
  it.each([301, 302, 303, 307, 308])(
    'by %i is not followed, and the reason says where to',
    async (status) => {
      const elsewhere = await serverFor();
      const server = await serverFor({
        faults: (_req, res) => {
          res.writeHead(status, { location: `${elsewhere.url}?token=secret` }).end();
          return true;
        },
      });
      for (const transport of ['http', 'sse'] as const) {
        const failure = await connectFailure(server.url, { transport, headers: { authorization } });
        expect(failure.message).toContain(`a redirect to ${elsewhere.url}, which is not followed`);
        expect(failure.message).not.toContain('secret');
      }
      expect(elsewhere.requests).toEqual([]);
    },
  );

  it('is followed from http to https on the same host, with the credentials', async () => {
    const tls = { key: readFileSync(file('tls-key.pem')), cert: readFileSync(file('tls-cert.pem')) };
    const secure = await serverFor({ tls });
    const plain = await serverFor({
      faults: (req, res) => {
        res.writeHead(308, { location: `https://mcp.example.test${req.url}` }).end();
        return true;
      },
    });
    const proxy = await startForwardProxy({
      authorization: undefined,
      ports: { 80: plain.port, 443: secure.port },
    });
    onTestFinished(() => proxy.close());
    const entry = { url: 'http://mcp.example.test/mcp', headers: { authorization } };
    const address = `http://${proxy.host}`;
    const env = { HTTP_PROXY: address, HTTPS_PROXY: address, NODE_EXTRA_CA_CERTS: file('tls-cert.pem') };
    const client = await throughToolsift(entry, { env });
    const args = { server: 'remote', name: 'do', arguments: { n: 5 } };
    const answer = await client.ask('tools/call', { name: 'invoke_tool', arguments: args });
    expect(answer.line).toContain('did 5');
    expect(new Set(secure.requests.map(({ headers }) => headers.authorization))).toEqual(
      new Set([authorization]),
    );
  });
});

describe('the origin of', () => {
  it.each([
    ['http://a.test/x', 'http://a.test/y?z', true],
    ['http://a.test/', 'http://a.test:80/', true],
    ['http://a.test/', 'https://a.test/', true],
    ['http://a.test/', 'https://a.test:443/', true],
    ['http://a.test/', 'https://a.test:8443/', false],
    ['http://a.test:8080/', 'https://a.test:8080/', false],
    ['http://a.test:8080/', 'https://a.test/', false],
    ['https://a.test/', 'http://a.test/', false],
    ['https://a.test/', 'https://b.test/', false],
    ['https://a.test/', 'https://a.test:8443/', false],
    ['https://a.test/', 'https://a.test.b.test/', false],
    ['https://a.test/', 'https://user:pass@a.test/', false],
    ['https://a.test/', 'file:///etc/passwd', false],
  ])('%s holds %s: %s', (from, to, expected) => {
    expect(isWithinOrigin(new URL(from), new URL(to))).toBe(expected);
  });
});
