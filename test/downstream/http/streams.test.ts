import { describe, expect, it } from 'vitest';
import { waitFor } from '../../helpers/wait-for.ts';
import { EventReader } from './event-reader.ts';
import { call, openSession, post, serveStub } from './served-stub.ts';

async function served(options = {}) {
  const stub = await serveStub(options);
  const session = await openSession(stub.url);
  const [conversation] = stub.conversations;
  if (conversation === undefined) throw new Error('no conversation');
  const listen = async (headers: Record<string, string> = {}) => {
    const response = await fetch(stub.url, {
      headers: { ...session, accept: 'text/event-stream', ...headers },
    });
    return { status: response.status, response };
  };
  return { ...stub, session, conversation, listen };
}

const note = (text: string) => JSON.stringify({ level: 'info', data: text });
const dataOf = (data: string) => JSON.parse(data).params.data;

describe('the stream for what belongs to no request', () => {
  it('brings what was said before it was opened, in order, once', async () => {
    const { conversation, listen } = await served();
    conversation.notify('notifications/message', note('a'));
    conversation.notify('notifications/message', note('b'));
    const stream = new EventReader((await listen()).response);
    conversation.notify('notifications/message', note('c'));
    await stream.next();
    const said = [await stream.next(), await stream.next(), await stream.next()];
    expect(said.map((event) => dataOf(event?.data ?? ''))).toEqual(['a', 'b', 'c']);
    await stream.cancel();
  });

  it('continues after the last event a client names, whether or not it was written', async () => {
    const { conversation, listen } = await served();
    const first = new EventReader((await listen()).response);
    await first.next();
    conversation.notify('notifications/message', note('a'));
    conversation.notify('notifications/message', note('b'));
    const seen = await first.next();
    await first.next();
    await first.cancel();
    conversation.notify('notifications/message', note('c'));
    const second = new EventReader((await listen({ 'last-event-id': seen?.id ?? '' })).response);
    expect(dataOf((await second.next())?.data ?? '')).toBe('b');
    expect(dataOf((await second.next())?.data ?? '')).toBe('c');
    await second.cancel();
  });

  it('is the newest one where a client opens several, each message going out once', async () => {
    const { conversation, listen } = await served();
    const older = new EventReader((await listen()).response);
    const newer = new EventReader((await listen()).response);
    await older.next();
    await newer.next();
    conversation.notify('notifications/message', note('a'));
    expect(dataOf((await newer.next())?.data ?? '')).toBe('a');
    await conversation.link.close();
    expect(await older.next()).toBeUndefined();
    expect(await newer.next()).toBeUndefined();
  });

  it('ends open streams of a client that opens ever more of them, the oldest first', async () => {
    const { listen } = await served();
    const readers: EventReader[] = [];
    for (let count = 0; count < 5; count += 1) readers.push(new EventReader((await listen()).response));
    await readers[0]?.next();
    expect(await readers[0]?.next()).toBeUndefined();
    for (const reader of readers.slice(1)) await reader.cancel();
  });

  it('is refused where what follows is not kept any more, or never was', async () => {
    const { conversation, listen } = await served();
    for (let count = 0; count < 6; count += 1) {
      conversation.notify('notifications/message', note('x'.repeat(1024 * 1024)));
    }
    for (const id of ['0-0', '0-99', '7-0', 'nonsense', '0']) {
      const { status, response } = await listen({ 'last-event-id': id });
      expect([id, status]).toEqual([id, 400]);
      expect(await response.json()).toMatchObject({ error: { code: -32000 } });
    }
  });

  it('loses a request that a client does not fetch in time, and whoever asked is told', async () => {
    const { conversation } = await served();
    conversation.ask('"r"', 'roots/list');
    for (let count = 0; count < 6; count += 1) {
      conversation.notify('notifications/message', note('x'.repeat(1024 * 1024)));
    }
    expect(conversation.faults).toMatchObject([
      {
        kind: 'lost',
        id: '"r"',
        error: { message: expect.stringMatching(/^does not read what it is sent: \d+ bytes wait/) },
      },
    ]);
  });
});

describe('the stream of a request', () => {
  it('is continued by its answer after the client lost it', async () => {
    const { url, session, conversation, listen } = await served();
    const broken = new EventReader(await post(url, call(1, 'ask'), session));
    const primed = await broken.next();
    expect(primed?.data).toBe('');
    await broken.cancel();
    conversation.answer('1', '{"late":true}');
    const events = await new EventReader(
      (await listen({ 'last-event-id': primed?.id ?? '' })).response,
    ).rest();
    expect(events.map(({ data }) => JSON.parse(data))).toMatchObject([
      { method: 'elicitation/create' },
      { id: 1, result: { late: true } },
    ]);
  });

  it('is continued while it goes on', async () => {
    const { url, session, conversation, listen } = await served();
    const broken = new EventReader(await post(url, call(1, 'ask'), session));
    await broken.next();
    const seen = await broken.next();
    await broken.cancel();
    const stream = new EventReader((await listen({ 'last-event-id': seen?.id ?? '' })).response);
    conversation.answer('1', '{}');
    expect(JSON.parse((await stream.next())?.data ?? '')).toMatchObject({ id: 1 });
    expect(await stream.next()).toBeUndefined();
  });

  it('is not to be asked for again once all of it was fetched', async () => {
    const { url, session, listen } = await served();
    const events = await new EventReader(await post(url, call(1, 'progress'), session)).rest();
    const { status } = await listen({ 'last-event-id': events.at(-1)?.id ?? '' });
    expect(status).toBe(204);
  });
});

describe('a session', () => {
  it('ends when its client says so, with all its streams', async () => {
    const { url, session, conversation, listen } = await served();
    const stream = new EventReader((await listen()).response);
    await stream.next();
    const waiting = post(url, call(1, 'wait'), session);
    await waitFor('the call', () => conversation.waiting.length === 1);
    const response = await fetch(url, { method: 'DELETE', headers: session });
    expect(response.status).toBe(204);
    expect((await waiting).status).toBe(404);
    expect(await stream.next()).toBeUndefined();
    expect(conversation.closeReason?.message).toBe('the client ended the session');
    const after = await post(url, call(2, 'echo'), session);
    expect(after.status).toBe(404);
    expect(await after.json()).toMatchObject({ error: { code: -32001, message: 'Session not found' } });
  });

  it('ends when nobody uses it, but not while something is open', async () => {
    let now = 0;
    const { url, session, conversation, sessions, listen } = await served({ now: () => now, idleMs: 1000 });
    const stream = new EventReader((await listen()).response);
    await stream.next();
    now = 5000;
    sessions.endIdle();
    expect(conversation.closeReason).toBeUndefined();
    await stream.cancel();
    await waitFor('the end of the stream', () => {
      sessions.endIdle();
      now += 1000;
      return conversation.closeReason?.message === 'nobody used the session';
    });
    expect((await post(url, call(1, 'echo'), session)).status).toBe(404);
  });
});
