import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { proxyFor } from '../../../src/upstream/http/proxy-env.ts';
import { startForwardProxy } from '../../fixtures/http/forward-proxy.mjs';
import { connect, connectFailure, serverFor } from '../../fixtures/http/remote.ts';
import { throughToolsift } from '../../fixtures/http/through-toolsift.ts';

const file = (name: string) => fileURLToPath(new URL(`../../fixtures/http/${name}`, import.meta.url));
const tls = { key: readFileSync(file('tls-key.pem')), cert: readFileSync(file('tls-cert.pem')) };
const authorization = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;

async function proxyInEnvironment(variable: string) {
  const proxy = await startForwardProxy({ authorization });
  onTestFinished(() => proxy.close());
  vi.stubEnv(variable, `http://me:p%40ss@${proxy.host}`);
  return proxy;
}

afterEach(() => void vi.unstubAllEnvs());

describe('a proxy of the environment', () => {
  it('is asked for plain HTTP servers, with its login', async () => {
    const proxy = await proxyInEnvironment('HTTP_PROXY');
    const server = await serverFor();
    const remote = await connect(`http://mcp.example.test:${server.port}/mcp?k=v`);
    expect(await remote.call({ n: 1 })).toContain('did 1');
    expect(proxy.asked[0]).toBe(`POST http://mcp.example.test:${server.port}/mcp?k=v`);
    expect(server.requests[0]?.headers.host).toBe(`mcp.example.test:${server.port}`);
  });

  it('is asked for a tunnel to TLS servers, whose certificates are checked as ever', async () => {
    const proxy = await proxyInEnvironment('HTTPS_PROXY');
    const server = await serverFor({ tls });
    const failure = await connectFailure(`https://mcp.example.test:${server.port}/mcp`);
    expect(failure.code).toBe('upstream_start_failed');
    expect(failure.message).toMatch(/self-signed certificate.*NODE_EXTRA_CA_CERTS/);
    expect(proxy.asked).toEqual([`CONNECT mcp.example.test:${server.port}`]);
    expect(server.requests).toEqual([]);
  });

  it('leads to a TLS server whose authority NODE_EXTRA_CA_CERTS adds', async () => {
    const proxy = await proxyInEnvironment('HTTPS_PROXY');
    const server = await serverFor({ tls });
    const env = { NODE_EXTRA_CA_CERTS: file('tls-cert.pem') };
    const client = await throughToolsift({ url: `https://mcp.example.test:${server.port}/mcp` }, { env });
    const args = { server: 'remote', name: 'do', arguments: { n: 5 } };
    expect((await client.ask('tools/call', { name: 'invoke_tool', arguments: args })).line).toContain(
      'did 5',
    );
    expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT mcp.example.test:${server.port}`]));
  });

  it('that refuses is named, without its login', async () => {
    await proxyInEnvironment('https_proxy');
    vi.stubEnv('https_proxy', process.env.https_proxy?.replace('p%40ss', 'wrong-login'));
    const { message } = await connectFailure('https://mcp.example.test/mcp');
    expect(message).toMatch(/the proxy 127\.0\.0\.1:\d+ answered CONNECT with HTTP 407/);
    expect(message).not.toContain('wrong-login');
  });
});

describe('which proxy a URL is reached through', () => {
  const env = {
    HTTPS_PROXY: 'http://secure:1',
    HTTP_PROXY: 'plain:2',
    NO_PROXY: 'a.test, .b.test,*.c.test, d.test:8443',
  };
  it.each<[string, string | undefined]>([
    ['https://x.test/', 'http://secure:1/'],
    ['http://x.test/', 'http://plain:2/'],
    ['https://a.test/', undefined],
    ['https://sub.a.test/', undefined],
    ['https://nota.test/', 'http://secure:1/'],
    ['https://sub.b.test/', undefined],
    ['https://sub.c.test/', undefined],
    ['https://d.test/', 'http://secure:1/'],
    ['https://d.test:8443/', undefined],
    ['http://localhost:3000/', undefined],
    ['http://127.0.0.1:3000/', undefined],
    ['http://[::1]:3000/', undefined],
  ])('%s', (url, proxy) => {
    expect(proxyFor(new URL(url), env)?.href).toBe(proxy);
  });

  it('knows small letters, ALL_PROXY, a NO_PROXY for everything, and what it cannot use', () => {
    const url = new URL('https://x.test/');
    expect(proxyFor(url, { https_proxy: 'http://small:1', HTTPS_PROXY: 'http://big:1' })?.hostname).toBe(
      'small',
    );
    expect(proxyFor(url, { ALL_PROXY: 'http://all:1' })?.hostname).toBe('all');
    expect(proxyFor(url, { ALL_PROXY: 'http://all:1', no_proxy: '*' })).toBeUndefined();
    expect(proxyFor(url, { HTTPS_PROXY: '' })).toBeUndefined();
    expect(() => proxyFor(url, { HTTPS_PROXY: 'socks5://u:pass@s:1' })).toThrow(/^(?!.*pass).*only http/);
  });
});
