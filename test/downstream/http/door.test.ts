import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { HostRules } from '../../../src/downstream/http/host-rules.ts';
import { call, INITIALIZE, openSession, post, serveStub } from './served-stub.ts';

/** A POST with a `Host` of our choice, which `fetch` does not let us choose. */
function postAs(host: string, port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers: { host } },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    sent.once('error', reject);
    sent.end();
  });
}

describe('the door', () => {
  it('refuses every Host but ours, whatever is asked', async () => {
    const { port } = await serveStub({ allowedHosts: ['mcp.example.com'] });
    const statuses = new Map<string, number | undefined>();
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '10.0.0.1',
      'localhost.evil.example',
      'a@localhost',
    ]) {
      statuses.set(host, await postAs(host, port));
    }
    expect([...statuses].filter(([, status]) => status !== 403)).toEqual([]);
    for (const host of [`localhost:${port}`, '127.0.0.1', '[::1]', 'MCP.example.com:80']) {
      expect([host, await postAs(host, port)]).toEqual([host, 415]);
    }
  });

  it('refuses pages of other origins, and lets those of the configured ones read our answers', async () => {
    const { url } = await serveStub({ allowedOrigins: ['https://app.example.com'] });
    for (const origin of [
      'https://evil.example',
      'null',
      'https://app.example.com.evil.example',
      'http://app.example.com',
    ]) {
      expect([origin, (await post(url, INITIALIZE, { origin })).status]).toEqual([origin, 403]);
    }
    const own = await post(url, INITIALIZE, { origin: 'https://app.example.com' });
    expect(own.status).toBe(200);
    expect(own.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    expect(own.headers.get('access-control-expose-headers')).toContain('Mcp-Session-Id');
    const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin: 'https://app.example.com' } });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Mcp-Session-Id');
  });

  it('has no words for browsers where no origin is configured', async () => {
    const { url, port } = await serveStub();
    const local = await post(url, INITIALIZE, { origin: `http://localhost:${port}` });
    expect(local.status).toBe(200);
    expect(local.headers.get('access-control-allow-origin')).toBeNull();
    const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin: 'https://evil.example' } });
    expect(preflight.status).toBe(403);
  });

  it('tells that we live and that we are ready, to whoever asks under whatever name', async () => {
    const { front, origin } = await serveStub();
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    await front.drain(0);
    expect((await fetch(`${origin}/readyz`)).status).toBe(503);
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  });

  it.each([
    ['another path', 'POST', '/other', {}, 404],
    ['another method', 'PUT', '/mcp', {}, 405],
    ['an unknown protocol version', 'POST', '/mcp', { 'mcp-protocol-version': '2099-01-01' }, 400],
    ['a client that takes neither JSON nor events', 'POST', '/mcp', { accept: 'text/html' }, 406],
    ['a body that is no JSON by its type', 'POST', '/mcp', { 'content-type': 'text/plain' }, 415],
    ['a body with an encoding', 'POST', '/mcp', { 'content-encoding': 'gzip' }, 415],
    ['a session that is unknown', 'POST', '/mcp', { 'mcp-session-id': 'x' }, 404],
    ['no session', 'POST', '/mcp', {}, 400],
    ['a stream without a session', 'GET', '/mcp', { accept: 'text/event-stream' }, 400],
    ['a stream for a client that takes none', 'GET', '/mcp', { accept: 'application/json' }, 406],
  ])('refuses %s: %s %s', async (_what, method, path, headers, status) => {
    const { origin } = await serveStub();
    const body = method === 'GET' ? null : JSON.stringify(call(1, 'echo'));
    const type = method === 'GET' ? {} : { 'content-type': 'application/json' };
    const response = await fetch(`${origin}${path}`, { method, body, headers: { ...type, ...headers } });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { code: expect.any(Number) },
    });
  });

  it.each([
    ['no JSON', '{"jsonrpc"', -32_700],
    ['no JSON-RPC', '{"hello":1}', -32_600],
    ['a second initialize in a batch', JSON.stringify([INITIALIZE, call(1, 'echo')]), -32_600],
    ['a batch without end', JSON.stringify(Array(101).fill(call(1, 'echo'))), -32_600],
  ])('refuses %s', async (_what, body, code) => {
    const { url } = await serveStub();
    const response = await post(url, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code } });
  });

  it('answers the probe of newer clients with what makes them fall back', async () => {
    const { url } = await serveStub();
    const probe = { jsonrpc: '2.0', id: 'probe', method: 'server/discover', params: {} };
    const response = await post(url, probe, { 'mcp-protocol-version': '2026-07-28' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: -32_000 } });
  });

  it('refuses a second request of the same id while the first is open', async () => {
    const { url, conversations } = await serveStub();
    const session = await openSession(url);
    const first = post(url, call(1, 'wait'), session);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const second = await post(url, call(1, 'echo'), session);
    expect(second.status).toBe(400);
    expect(await second.json()).toMatchObject({ id: 1, error: { code: -32_600 } });
    conversations[0]?.answer('1', '{}');
    expect((await first).status).toBe(200);
  });

  it('writes one line a request, with its id and without what is secret', async () => {
    const { url, lines } = await serveStub();
    const session = await openSession(url);
    const response = await post(`${url}?token=sEcReT`, call(1, 'echo', { password: 'sEcReT' }), {
      ...session,
      authorization: 'Bearer sEcReT',
    });
    await response.text();
    expect(lines).toHaveLength(2);
    const [, line] = lines;
    expect(line).toMatch(
      /^toolsift: http POST \/mcp 200 [\d.]+ ms method=tools\/call session=\w{8} subject=local request=/,
    );
    expect(line).toContain(response.headers.get('x-request-id'));
    expect(lines.join('')).not.toContain('sEcReT');
    expect(lines.join('')).not.toContain(session['mcp-session-id']);
  });
});

describe('HostRules', () => {
  it('take any address where we listen for others too, as only names can be bound anew', () => {
    const rules = new HostRules({ host: '0.0.0.0', allowedHosts: [], allowedOrigins: [] });
    expect(rules.allowsHost('10.1.2.3:3333')).toBe(true);
    expect(rules.allowsHost('[fd00::1]:3333')).toBe(true);
    expect(rules.allowsHost('evil.example')).toBe(false);
    expect(rules.allowsOrigin('http://localhost:5173', '10.1.2.3:3333')).toBe(false);
    expect(rules.allowsOrigin('http://10.1.2.3:3333', '10.1.2.3:3333')).toBe(true);
  });
});
