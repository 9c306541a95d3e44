import { describe, expect, it } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { textOf } from '../helpers/message.ts';
import { isAlive } from '../helpers/processes.ts';
import { Serving, startServing } from '../helpers/serving.ts';
import { waitFor } from '../helpers/wait-for.ts';

describe('sessions', () => {
  it('share a server, and have one each where it asks for that, which goes with them', async () => {
    const serving = await startServing({
      servers: { shared: fixture('echo'), own: { ...fixture('slow'), perSession: true } },
    });
    const clients = await Promise.all(Array.from({ length: 5 }, () => serving.connect()));
    for (const client of clients) {
      await client.listed('shared', 'own');
      expect(textOf(await client.invoke('own', 'say'))).toBe('called say');
    }
    await waitFor(
      'one shared process and one for each session',
      () => serving.pids.filter(isAlive).length === 6,
    );
    const [first, ...others] = clients;
    expect(await first?.close()).toBe(204);
    await waitFor('the process of that session has gone', () => serving.pids.filter(isAlive).length === 5);
    for (const client of others) expect(textOf(await client.invoke('own', 'say'))).toBe('called say');
  });

  it('get what belongs to them: progress, questions, log messages at their level', async () => {
    const serving = await startServing({
      servers: { progress: fixture('progress'), asks: fixture('asks-client'), logging: fixture('logging') },
    });
    const capabilities = { sampling: {}, elicitation: {} };
    const [one, two] = await Promise.all([
      serving.connect({ capabilities }),
      serving.connect({ capabilities }),
    ]);
    for (const [name, client] of [
      ['one', one],
      ['two', two],
    ] as const) {
      client.handlers.set('sampling/createMessage', () => `"result":{ "model":"${name}","x":1.0}`);
      await client.listed('progress', 'asks', 'logging');
    }
    for (const [name, client] of [
      ['one', one],
      ['two', two],
    ] as const) {
      const asked = await client.invoke('asks', 'ask', { method: 'sampling/createMessage', params: '{}' });
      expect(textOf(asked)).toContain(`"result":{ "model":"${name}","x":1.0}`);
    }
    const counted = await Promise.all([
      one.invoke('progress', 'count', { steps: 3, tag: 'one' }, { progressToken: 'same' }),
      two.invoke('progress', 'count', { steps: 2, tag: 'two' }, { progressToken: 'same' }),
    ]);
    expect(counted.map(textOf)).toEqual(['counted one string', 'counted two string']);
    const progress = (client: typeof one) =>
      client.notifications
        .filter(({ method }) => method === 'notifications/progress')
        .map(({ line }) => line);
    expect(progress(one)).toHaveLength(3);
    expect(progress(two)).toHaveLength(2);
    expect(progress(one).join()).not.toContain('two-');

    await one.listen();
    await two.listen();
    await one.ask('logging/setLevel', { level: 'error' });
    await two.ask('logging/setLevel', { level: 'debug' });
    for (const [name, client] of [
      ['one', one],
      ['two', two],
    ] as const) {
      for (const level of ['info', 'error'])
        await client.invoke('logging', 'log', { level, data: `${name}-${level}` });
    }
    const logged = (client: typeof one) =>
      client.notifications.flatMap(({ line }) => /"data":"(\w+-\w+)"/.exec(line)?.[1] ?? []);
    await waitFor('the messages', () => logged(two).length === 2 && logged(one).length === 1);
    expect(logged(one)).toEqual(['one-error']);
    expect(logged(two)).toEqual(['two-info', 'two-error']);
  });

  it('can withdraw a call, which the server hears', async () => {
    const serving = await startServing({ servers: { slow: fixture('slow') } });
    const client = await serving.connect();
    await client.listed('slow');
    const working = client.post(
      '{"jsonrpc":"2.0","id":"w","method":"tools/call","params":{"name":"invoke_tool","arguments":{"server":"slow","name":"work"}}}',
    );
    await waitFor('the call', () => hasOpenCall(serving));
    await client.post('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}}');
    expect((await working).status).toBe(202);
    expect(textOf(await client.invoke('slow', 'show_cancelled'))).toContain('requestId');
  });
});

describe('on SIGTERM', () => {
  it('what was begun is answered, nothing new is taken, and then everything goes', async () => {
    const serving = await startServing({ servers: { progress: fixture('progress') } });
    const client = await serving.connect();
    await client.listed('progress');
    const ticking = client.invoke('progress', 'tick', { everyMs: 100, ticks: 15 });
    await waitFor('the call', () => hasOpenCall(serving));
    process.kill(serving.process.pid, 'SIGTERM');
    await waitFor(
      'it says that it is not ready',
      async () => (await fetch(`${serving.origin}/readyz`)).status === 503,
    );
    expect((await client.call('list_servers')).error).toMatchObject({
      message: expect.stringContaining('stopping'),
    });
    expect(textOf(await ticking)).toBe('ticked 15');
    expect((await serving.process.exited).code).toBe(143);
  });
});

async function hasOpenCall({ origin }: Serving): Promise<boolean> {
  return (await (await fetch(`${origin}/metrics`)).text()).includes('toolsift_open_calls 1');
}

describe('toolsift serve', () => {
  it.each([
    [
      'others could come in unasked',
      {},
      ['--host', '0.0.0.0'],
      /others reach 0\.0\.0\.0, so "auth" has to say/,
    ],
    ['"auth" lets nobody in', { auth: {} }, [], /"auth" lets nobody in/],
    [
      'a token is not set',
      { auth: { tokens: { ci: `\${NOT_SET_ANYWHERE}` } } },
      [],
      /variable NOT_SET_ANYWHERE in "auth.tokens.ci"/,
    ],
    ['no issuer is named', { auth: { oauth: {} } }, [], /"auth.oauth" needs "issuer"/],
  ])('does not start where %s', async (_what, config, args, message) => {
    const serving = new Serving({ servers: {}, config, args });
    expect(await serving.process.exited).toEqual({ code: 2, signal: null });
    expect(serving.log).toMatch(message);
  });

  it('tells of itself at /healthz, /readyz and /metrics', async () => {
    const serving = await startServing({ servers: { echo: fixture('echo') } });
    const client = await serving.connect();
    await client.listed('echo');
    expect((await fetch(`${serving.origin}/healthz`)).status).toBe(200);
    expect((await fetch(`${serving.origin}/readyz`)).status).toBe(200);
    const metrics = await (await fetch(`${serving.origin}/metrics`)).text();
    expect(metrics).toContain('toolsift_sessions 1');
    expect(metrics).toContain('toolsift_upstream_state{server="echo",state="ready"} 1');
    expect(serving.log).toMatch(
      /http POST \/mcp 200 [\d.]+ ms method=tools\/call session=\w{8} subject=local request=/,
    );
  });

  it('answers a foreign Origin and a foreign Host with 403', async () => {
    const serving = await startServing({ servers: {} });
    const refused = await fetch(serving.url, { method: 'POST', headers: { origin: 'https://evil.example' } });
    expect(refused.status).toBe(403);
  });
});
