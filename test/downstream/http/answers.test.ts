import { describe, expect, it } from 'vitest';
import { waitFor } from '../../helpers/wait-for.ts';
import { EventReader } from './event-reader.ts';
import { call, openSession, post, serveStub } from './served-stub.ts';

describe('an answer over HTTP', () => {
  it('is JSON where nothing is said before it, byte for byte', async () => {
    const { url, conversations } = await serveStub();
    const session = await openSession(url);
    const answering = post(url, call(1, 'wait'), session);
    await waitFor('the call', () => conversations[0]?.waiting.includes('1'));
    conversations[0]?.answer('1', '{ "b":1.0,\r\n "a":9007199254740993,"a":1e400 }');
    const response = await answering;
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.text()).toBe(
      '{"jsonrpc":"2.0","id":1,"result":{ "b":1.0,\r\n "a":9007199254740993,"a":1e400 }}',
    );
  });

  it('comes on a stream of events where something is said before it', async () => {
    const { url } = await serveStub();
    const session = await openSession(url);
    const response = await post(url, call('x', 'progress', {}, { progressToken: 'p' }), session);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const events = await new EventReader(response).rest();
    expect(events.map(({ id }) => id)).toEqual(['1-0', '1-1', '1-2', '1-3', '1-4']);
    expect(events.map(({ data }) => (data === '' ? 'primed' : Object.keys(JSON.parse(data))[1]))).toEqual([
      'primed',
      'method',
      'method',
      'method',
      'id',
    ]);
  });

  it('has no event without a message for clients of older versions', async () => {
    const { url } = await serveStub();
    const session = { ...(await openSession(url)), 'mcp-protocol-version': '2025-06-18' };
    const response = await post(url, call(1, 'progress'), session);
    const events = await new EventReader(response).rest();
    expect(events.map(({ data }) => data === '')).toEqual([false, false, false, false]);
  });

  it('keeps line breaks of a message on a stream of events', async () => {
    const { url, conversations } = await serveStub();
    const session = await openSession(url);
    const response = await post(url, call(1, 'ask'), session);
    conversations[0]?.answer('1', '{\n"a":\r\n1}');
    const events = await new EventReader(response).rest();
    expect(events.at(-1)?.data).toBe('{"jsonrpc":"2.0","id":1,"result":{\n"a":\n1}}');
  });

  it('is a stream for a client that takes only streams, and JSON for one that takes only JSON', async () => {
    const { url, conversations } = await serveStub();
    const session = await openSession(url);
    const streamed = await post(url, call(1, 'echo'), { ...session, accept: 'text/event-stream' });
    expect(streamed.headers.get('content-type')).toBe('text/event-stream');
    expect(await streamed.text()).toContain('"id":1');
    const plain = await post(url, call(2, 'progress'), { ...session, accept: 'application/json' });
    expect(plain.headers.get('content-type')).toBe('application/json');
    expect(await plain.json()).toMatchObject({ id: 2 });
    expect(conversations).toHaveLength(1);
  });

  it('to a batch is a list for a client that takes only JSON, and a stream otherwise', async () => {
    const { url } = await serveStub();
    const session = await openSession(url);
    const batch = [call(1, 'echo'), { jsonrpc: '2.0', method: 'notifications/x' }, call('2', 'echo')];
    const list = await post(url, batch, { ...session, accept: 'application/json' });
    expect(await list.json()).toMatchObject([{ id: 1 }, { id: '2' }]);
    const stream = await post(url, batch, session);
    const events = await new EventReader(stream).rest();
    expect(events.slice(1).map(({ data }) => JSON.parse(data).id)).toEqual([1, '2']);
  });

  it('to nothing but notifications and answers is 202', async () => {
    const { url, conversations } = await serveStub();
    const session = await openSession(url);
    const response = await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
    expect(response.status).toBe(202);
    expect(await response.text()).toBe('');
    expect(conversations[0]?.frames.at(-1)?.kind).toBe('notification');
  });

  it('never comes to a withdrawn request, whose exchange ends', async () => {
    const { url, conversations, sessions } = await serveStub();
    const session = await openSession(url);
    const waiting = post(url, call(1, 'wait'), session);
    const asking = await post(url, call(2, 'ask'), session);
    await waitFor('the call', () => conversations[0]?.waiting.length === 2);
    for (const requestId of [1, 2]) {
      await post(url, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }, session);
    }
    expect((await waiting).status).toBe(202);
    const events = await new EventReader(asking).rest();
    expect(events.map(({ data }) => data === '' || JSON.parse(data).method)).toEqual([
      true,
      'elicitation/create',
    ]);
    expect(sessions.openCalls).toBe(0);
  });
});

describe('a message that belongs to a request', () => {
  it('comes on the stream of that request, also when several are open', async () => {
    const { url, conversations } = await serveStub();
    const session = await openSession(url);
    const [one, two] = await Promise.all([
      post(url, call(1, 'ask'), session),
      post(url, call(2, 'ask'), session),
    ]);
    conversations[0]?.notify('notifications/message', '{"data":"for two"}', '2');
    conversations[0]?.answer('2', '{}');
    conversations[0]?.answer('1', '{}');
    expect((await new EventReader(one).rest()).map(({ data }) => data).join()).not.toContain('for two');
    expect((await new EventReader(two).rest()).map(({ data }) => data).join()).toContain('for two');
  });

  it('goes to the stream for all else where the request can have none', async () => {
    const { url } = await serveStub();
    const session = await openSession(url);
    const stream = new EventReader(
      await fetch(url, { headers: { ...session, accept: 'text/event-stream' } }),
    );
    await stream.next();
    await post(url, call(1, 'progress'), { ...session, accept: 'application/json' });
    expect((await stream.next())?.data).toContain('notifications/progress');
    await stream.cancel();
  });
});
