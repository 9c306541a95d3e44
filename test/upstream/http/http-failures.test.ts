import { describe, expect, it } from 'vitest';
import { retryAfterOf } from '../../../src/upstream/http/failure.ts';
import { startFaultServer } from '../../fixtures/http/fault-server.mjs';
import { connect, connectFailure, failureOf, serverFor } from '../../fixtures/http/remote.ts';
import { waitFor, within } from '../../helpers/wait-for.ts';

type Head = Readonly<Record<string, string>>;
const HTML = { 'content-type': 'text/html' };
const PAGE = '<html><head><title>Corporate\n gateway</title></head><body>no</body></html>';

async function refusing(status: number, headers: Head = {}, body = '') {
  return serverFor({
    faults: (_req, res) => {
      res.writeHead(status, headers).end(body);
      return true;
    },
  });
}

describe('a server that refuses the first request', () => {
  it.each<[number, Head, string, string, RegExp]>([
    [
      401,
      { 'www-authenticate': 'Bearer' },
      'token expired',
      'upstream_needs_login',
      /HTTP 401.*token expired.*Authorization/,
    ],
    [
      403,
      { 'www-authenticate': 'Bearer error="insufficient_scope"' },
      '',
      'upstream_needs_login',
      /HTTP 403/,
    ],
    [403, {}, 'not you', 'server_config_invalid', /HTTP 403.*not you/],
    [404, HTML, PAGE, 'server_config_invalid', /HTTP 404.*Corporate gateway.*check "url"/],
    [410, {}, '', 'server_config_invalid', /HTTP 410/],
    [429, { 'retry-after': '7' }, '', 'upstream_start_failed', /HTTP 429.*wait 7 s/],
    [500, {}, 'stack trace', 'upstream_start_failed', /HTTP 500.*stack trace/],
    [503, HTML, PAGE, 'upstream_start_failed', /HTTP 503.*Corporate gateway/],
    [200, HTML, PAGE, 'upstream_start_failed', /HTTP 200.*Corporate gateway.*no MCP answer but text\/html/],
    [
      302,
      { location: 'https://sso.test/login?next=secret' },
      '',
      'server_config_invalid',
      /redirect to https:\/\/sso\.test\/login,/,
    ],
    [
      308,
      { location: 'http://127.0.0.1:1/mcp' },
      '',
      'server_config_invalid',
      /redirect to http:\/\/127\.0\.0\.1:1\/mcp,/,
    ],
  ])('with %i %o fails with a typed error that says why', async (status, headers, body, code, message) => {
    const server = await refusing(status, headers, body);
    const failure = await connectFailure(`${server.url}?key=hidden`, { transport: 'http' });
    expect(failure.code).toBe(code);
    expect(failure.message).toMatch(message);
    expect(failure.message).toContain(`at ${server.url}`);
    expect(failure.message).not.toMatch(/hidden|secret/);
    expect(failure.facts.httpStatus).toBe(status);
    if (status === 429) expect(failure.facts.retryAfterMs).toBe(7000);
    expect(server.requests).toHaveLength(1);
  });

  it('names the JSON-RPC error it gave', async () => {
    const body = '{"jsonrpc":"2.0","id":null,"error":{"code":-32022,"message":"only 2026-07-28"}}';
    const server = await refusing(400, { 'content-type': 'application/json' }, body);
    const failure = await connectFailure(server.url);
    expect(failure).toMatchObject({ code: 'server_config_invalid', facts: { rpcCode: -32022 } });
    expect(failure.message).toContain('only 2026-07-28');
    expect(server.count('GET'), 'no other transport is tried').toBe(0);
  });

  it.each<[string, string, RegExp]>([
    [
      'http://127.0.0.1:1/mcp?key=hidden',
      'upstream_start_failed',
      /could not be reached at http:\/\/127\.0\.0\.1:1\/mcp: .*ECONNREFUSED/,
    ],
    ['http://no-such-host.invalid/mcp', 'upstream_start_failed', /ENOTFOUND|EAI_AGAIN/],
    ['ftp://127.0.0.1/mcp', 'server_config_invalid', /only http and https/],
    ['not a url', 'server_config_invalid', /not a URL/],
  ])('or is not there at all: %s', async (url, code, message) => {
    const failure = await connectFailure(url);
    expect(failure.code).toBe(code);
    expect(failure.message).toMatch(message);
    expect(failure.message).not.toContain('hidden');
  });

  it('never sees its credentials quoted', async () => {
    const echo = await serverFor({
      faults: (req, res) => {
        res.writeHead(400, { 'content-type': 'text/plain' }).end(JSON.stringify([req.url, req.headers]));
        return true;
      },
    });
    const url = echo.url.replace('//', '//user:pass-word-1@').replace('/mcp', '/mcp?api_key=query-value-1');
    const headers = { 'X-Api-Key': 'header-value-1', Authorization: 'Bearer bearer-value-1' };
    for (const transport of ['http', 'sse', 'auto'] as const) {
      const { message } = await connectFailure(url, { headers, transport });
      expect(message).toContain('HTTP 400');
      expect(message).not.toMatch(/pass-word|query-value|header-value|bearer-value/);
    }
    const bad = await connectFailure(url, { headers: { Authorization: 'Bearer se\ncret' } });
    expect(bad).toMatchObject({
      code: 'server_config_invalid',
      message: expect.not.stringContaining('cret'),
    });
  });
});

describe('a call', () => {
  it('gets the JSON-RPC error of a 4xx body as its answer, as written', async () => {
    const error = '{"code":-32602,"message":"no such city","data":{"n":1.0,"id":9007199254740993}}';
    let id = 'null';
    const server = await serverFor({
      call: (_params, res, message) => {
        const own = id === 'own' ? message.id : id;
        res.writeHead(400, { 'content-type': 'application/json' });
        res.end(`{"jsonrpc":"2.0","error":${error},"id":${own}}`);
        return undefined;
      },
    });
    const remote = await connect(server.url);
    expect(await remote.call()).toBe(error);
    id = 'own';
    expect(await remote.call()).toBe(error);
    expect(server.count('initialize')).toBe(1);
  });

  it.each<[number, Head, string, string]>([
    [500, {}, 'oops', 'upstream_invalid_message'],
    [429, { 'retry-after': '3' }, '', 'upstream_invalid_message'],
    [403, {}, '', 'upstream_invalid_message'],
    [200, HTML, PAGE, 'upstream_invalid_message'],
    [
      200,
      { 'content-type': 'application/json' },
      '{"jsonrpc":"2.0","id":99999,"result":{}}',
      'upstream_invalid_message',
    ],
    [204, {}, '', 'upstream_invalid_message'],
  ])('that is met with %i %o fails alone and is not repeated', async (status, headers, body, code) => {
    const server = await serverFor({
      call: ({ arguments: { good } }, res) => {
        if (good) return '{}';
        res.writeHead(status, headers).end(body);
        return undefined;
      },
    });
    const remote = await connect(server.url);
    expect(await failureOf(remote.call())).toMatchObject({ code, facts: { httpStatus: status } });
    expect(await remote.call({ good: true })).toBe('{}');
    expect(server.count('tools/call')).toBe(2);
  });

  it('fails within its bound while the port is closed, and the first one after works', async () => {
    const server = await serverFor({ hasStream: true });
    const remote = await connect(server.url);
    await waitFor('the stream', () => server.streams.size === 1);
    await server.close();
    for (let n = 0; n < 3; n++) {
      const failure = await within('the failure', 1000, failureOf(remote.call()));
      expect(failure.code).toBe('upstream_exited');
      expect(failure.message).toMatch(/ECONNREFUSED|ECONNRESET|socket hang up/);
    }
    const again = await startFaultServer({ port: server.port });
    expect(await remote.call({ n: 1 })).toContain('did 1');
    expect(again.count('tools/call')).toBe(2);
    expect(again.count('initialize')).toBe(1);
    await again.close();
  });

  it('follows a redirect within the origin with its body', async () => {
    const server = await serverFor({
      faults: (req, res) => {
        if (req.url !== '/mcp') return false;
        res.writeHead(307, { location: '/moved?to=here' }).end('moved');
        return true;
      },
    });
    const remote = await connect(server.url);
    expect(await remote.call({ n: 4 })).toContain('did 4');
  });
});

describe('Retry-After', () => {
  it.each<[string | undefined, number | undefined]>([
    ['3', 3000],
    ['0', 0],
    ['Wed, 21 Oct 2026 07:28:05 GMT', 5000],
    ['Wed, 21 Oct 2026 07:27:00 GMT', 0],
    ['999999999', 3_600_000],
    ['soon', undefined],
    [undefined, undefined],
  ])('%s', (value, ms) => {
    expect(retryAfterOf(value, Date.parse('2026-10-21T07:28:00Z'))).toBe(ms);
  });
});
