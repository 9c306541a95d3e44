import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/jsonrpc/frame.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { messageOf } from '../jsonrpc/messages.ts';
import { settled } from '../upstream/fake-clock.ts';
import { Client } from './client.ts';
import { FakeUpstream } from './fake-upstream.ts';

/** A server whose calls wait until the test answers them. */
function holding() {
  const upstream = new FakeUpstream('a', {
    on: { 'tools/call': () => undefined },
    has: ['tools', 'logging'],
  });
  const client = new Client(upstream);
  client.put('a', ['x']);
  const calls = () => upstream.server.requests.filter(({ frame }) => frame.method === 'tools/call');
  /** Sends a call with a progress token, and resolves once the server has it. */
  const begin = async (token: string) => {
    const answers: string[] = [];
    const progress: string[] = [];
    const outgoing = client.peer.send(
      (id) =>
        messageOf(
          `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"a__x","_meta":{"progressToken":${token === 'id' ? id : token}}}}`,
        ),
      {
        onanswer: (answer) => answers.push(textOf(answer, answer.result ?? { start: 0, end: 0 })),
        onlost: () => {},
        onprogress: (frame) => progress.push(frame.bytes.toString()),
      },
    );
    await settled();
    return { outgoing, answers, progress };
  };
  return { upstream, client, calls, begin };
}

describe('calls in flight', () => {
  it('do not wait for each other, and each gets its own answer', async () => {
    const { calls, begin } = holding();
    const [one, two] = [await begin('id'), await begin('id')];
    calls()[1]?.result('"two"');
    await settled();
    expect([one.answers, two.answers]).toEqual([[], ['"two"']]);
    calls()[0]?.result('"one"');
    await settled();
    expect(one.answers).toEqual(['"one"']);
  });

  it('hear of progress under the token of the client', async () => {
    const { upstream, calls, begin } = holding();
    const { progress } = await begin('id');
    const token = JSON.parse(calls()[0]?.frame.bytes.toString() ?? '').params._meta.progressToken as number;
    upstream.server.peer.notify('notifications/progress', `{"progress":0.50,"progressToken":${token}}`);
    await settled();
    expect(progress).toHaveLength(1);
    expect(progress[0]).toContain('"progress":0.50');
  });

  it('are cancelled at the server with the reason, and never answered', async () => {
    const { calls, begin } = holding();
    const { outgoing, answers } = await begin('id');
    const [call] = calls();
    const withdrawals: (string | undefined)[] = [];
    if (call !== undefined)
      call.oncancel = (notification) => withdrawals.push(notification?.bytes.toString());
    outgoing.cancel('enough');
    await settled();
    expect(withdrawals).toEqual([expect.stringContaining('"reason":"enough"')]);
    call?.result('"late"');
    await settled();
    expect(answers).toEqual([]);
  });

  it('are cancelled when the client leaves', async () => {
    const { client, calls, begin } = holding();
    await begin('id');
    await client.peer.close();
    await settled();
    expect(calls().map(({ isOpen }) => isOpen)).toEqual([false]);
  });

  it('end at the time limit of their server, which is told', async () => {
    const limits = { timeoutMs: 20 };
    const upstream = new FakeUpstream('a', { on: { 'tools/call': () => undefined }, limits });
    const client = new Client(upstream);
    client.put('a', ['x']);
    const { code, text } = await client.call('a__x', {});
    expect([code, text]).toEqual(['call_timeout', expect.stringContaining('"timeoutSeconds"')]);
    await settled();
    expect(upstream.server.requests.map(({ isOpen }) => isOpen)).toEqual([false]);
  });

  it('that were cancelled while their server started are not sent', async () => {
    const upstream = new FakeUpstream('a', { state: 'idle', on: { 'tools/call': () => '{}' } });
    const client = new Client(upstream);
    client.put('a', ['x']);
    let start: () => void = () => {};
    upstream.acquire = () =>
      new Promise((resolve) => {
        start = () => resolve(upstream.start());
      });
    const outgoing = client.peer.send(
      (id) => messageOf(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"a__x"}}`),
      { onanswer: () => {}, onlost: () => {} },
    );
    await settled();
    outgoing.cancel();
    await settled();
    start();
    await settled();
    expect(upstream.server.receivedOf('tools/call')).toEqual([]);
  });
});

describe('what a server asks', () => {
  const ask = (upstream: FakeUpstream, method: string, params = '{"n":1.0}') => {
    return upstream.server.peer.request(method, params).then((frame) => frame.bytes.toString());
  };

  it('reaches a client that declared it, and the answer goes back as it was written', async () => {
    const { upstream, client } = holding();
    await client.hello('{"sampling":{},"elicitation":{},"roots":{}}');
    for (const method of ['sampling/createMessage', 'elicitation/create', 'roots/list', 'vendor/own']) {
      const answer = ask(upstream, method);
      await settled();
      const request = client.requests.at(-1);
      expect(request?.frame.bytes.toString()).toContain(`"method":"${method}","params":{"n":1.0}`);
      request?.result('{"m":1e400}');
      expect(await answer).toMatch(/"result":\{"m":1e400\}\}$/);
    }
  });

  it('is refused where the client did not declare it', async () => {
    const { upstream, client } = holding();
    await client.hello('{"roots":{}}');
    for (const method of ['sampling/createMessage', 'elicitation/create']) {
      expect(JSON.parse(await ask(upstream, method))).toMatchObject({ error: { code: -32601 } });
    }
    expect(client.requests).toEqual([]);
  });

  it('waits until the client is initialized', async () => {
    const { upstream, client } = holding();
    await client.ask('initialize', '{"protocolVersion":"2025-11-25","capabilities":{"roots":{}}}');
    // Servers are started for the client when it has its answer.
    await settled();
    void ask(upstream, 'roots/list');
    upstream.server.peer.notify('notifications/message', '{"data":"early"}');
    await settled();
    expect([client.requests, client.notifications]).toEqual([[], []]);
    client.peer.notify('notifications/initialized');
    await settled();
    expect([client.requests.length, client.notifications.length]).toEqual([1, 1]);
  });

  it('is withdrawn from the client when the server withdraws it', async () => {
    const { upstream, client } = holding();
    await client.hello('{"roots":{}}');
    const abort = new AbortController();
    const asked = upstream.server.peer.request('roots/list', undefined, abort.signal);
    await settled();
    abort.abort(new Error('never mind'));
    await expect(asked).rejects.toThrow('never mind');
    await settled();
    expect(client.requests.map(({ isOpen }) => isOpen)).toEqual([false]);
  });

  it('is answered when the client leaves', async () => {
    const { upstream, client } = holding();
    await client.hello('{"roots":{}}');
    const answer = ask(upstream, 'roots/list');
    await settled();
    await client.peer.close();
    expect(JSON.parse(await answer)).toMatchObject({ error: { code: -32603 } });
  });
});

describe('notices', () => {
  it('of servers reach the client as they are, but for the name in log messages and for changed lists', async () => {
    const { upstream, client } = holding();
    await client.hello();
    upstream.server.peer.notify('notifications/elicitation/complete', '{"n":1.0}');
    upstream.server.peer.notify('notifications/message', '{"data":1.0}');
    upstream.server.peer.notify('notifications/tools/list_changed');
    await settled();
    expect(client.notifications).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"n":1.0}}',
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"logger":"a","data":1.0}}',
    ]);
  });

  it('of new roots reach every running server', async () => {
    const [one, two] = [new FakeUpstream('a'), new FakeUpstream('b')];
    const client = new Client(one, two, new FakeUpstream('c', { state: 'idle' }));
    await client.hello('{"roots":{}}');
    client.peer.notify('notifications/roots/list_changed', '{"n":1.0}');
    await settled();
    const text = '{"jsonrpc":"2.0","method":"notifications/roots/list_changed","params":{"n":1.0}}';
    expect([one.server.received, two.server.received]).toEqual([[text], [text]]);
  });

  it('that the pinned tools have changed come when they have', async () => {
    const client = new Client(new FakeUpstream('a'));
    client.settings = { ...client.settings, pinned: ['x'] };
    await client.hello();
    await client.ask('tools/list');
    client.put('a', ['x']);
    await waitFor('a notice', () => client.notifications.length > 0);
    expect(client.notifications).toEqual(['{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}']);
  });
});

describe('a mistake of ours', () => {
  it('is answered and logged, and the session goes on', async () => {
    const { upstream, client } = holding();
    upstream.untilListsRead = () => Promise.reject(new TypeError('unforeseen'));
    const text = await client.textOf(
      'tools/call',
      '{"name":"invoke_tool","arguments":{"server":"a","name":"unknown"}}',
    );
    expect(JSON.parse(text)).toMatchObject({ code: -32603 });
    expect(client.logged.join('')).toContain('unforeseen');
    expect(await client.textOf('ping')).toBe('{}');
  });
});
