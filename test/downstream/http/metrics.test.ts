import { describe, expect, it } from 'vitest';
import { Metrics } from '../../../src/downstream/http/metrics.ts';
import { staticTokens } from '../../../src/downstream/http/static-tokens.ts';
import { waitFor } from '../../helpers/wait-for.ts';
import { call, openSession, post, serveStub } from './served-stub.ts';

describe('/metrics', () => {
  it('counts requests, sessions and open calls, and tells the state of each server', async () => {
    let stub: Awaited<ReturnType<typeof serveStub>> | undefined;
    const observer = new Metrics({
      sessions: () => stub?.sessions.size ?? 0,
      openCalls: () => stub?.sessions.openCalls ?? 0,
      upstreams: () => [['docs', 'ready']],
    });
    stub = await serveStub({ observer });
    const { url, origin, conversations } = stub;
    const session = await openSession(url);
    const waiting = post(url, call(1, 'wait'), session);
    await waitFor('the call', () => conversations[0]?.waiting.length === 1);
    const response = await fetch(`${origin}/metrics`);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0.0.4/);
    const text = await response.text();
    expect(text).toContain('toolsift_sessions 1\n');
    expect(text).toContain('toolsift_open_calls 1\n');
    expect(text).toContain('toolsift_upstream_state{server="docs",state="ready"} 1\n');
    expect(text).toContain('toolsift_http_requests_total{method="POST",status="200"} 1\n');
    expect(text).toContain('toolsift_http_request_duration_seconds_count{method="POST"} 1\n');
    expect(text).toContain('process_resident_memory_bytes');
    conversations[0]?.answer('1', '{}');
    await waiting;
  });

  it('are for those who may come in', async () => {
    const { origin } = await serveStub({ authenticator: staticTokens(new Map([['ci', 'secret']])) });
    expect((await fetch(`${origin}/metrics`)).status).toBe(401);
    expect((await fetch(`${origin}/metrics`, { headers: { authorization: 'Bearer secret' } })).status).toBe(
      200,
    );
  });
});
