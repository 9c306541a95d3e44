import { describe, expect, it } from 'vitest';
import { textOf } from '../../../src/jsonrpc/frame.ts';
import { waitFor } from '../../helpers/wait-for.ts';
import { messageOf } from '../../jsonrpc/messages.ts';
import { call, param, resultOf, type Session, Sharing } from '../share/fake-server.ts';

async function twoSessions(): Promise<{ sharing: Sharing; one: Session; two: Session }> {
  const sharing = new Sharing();
  const one = await sharing.session();
  const two = await sharing.session();
  await waitFor('the server is initialized', () =>
    sharing.server.methods().includes('notifications/initialized'),
  );
  return { sharing, one, two };
}

/** Calls with a progress token; what arrives under it is collected. */
function callWithProgress(
  { connection }: Session,
  tool: string,
): { seen: unknown[]; answered: Promise<void> } {
  const seen: unknown[] = [];
  const answered = new Promise<void>((resolve, reject) => {
    connection.peer.send(
      (id) =>
        messageOf(
          `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${tool}","_meta":{"progressToken":${id}}}}`,
        ),
      {
        onanswer: () => resolve(),
        onlost: reject,
        onprogress: (notification) => seen.push(param(notification, 'progress')),
      },
    );
  });
  return { seen, answered };
}

describe('progress and cancellation', () => {
  it('stay with the session they belong to', async () => {
    const { sharing, one, two } = await twoSessions();
    const first = callWithProgress(one, 'first');
    const second = callWithProgress(two, 'second');
    for (const [tool, progress] of [
      ['first', 1],
      ['second', 2],
      ['first', 3],
    ] as const) {
      const { frame } = await sharing.server.called(tool);
      const token = JSON.stringify((param(frame, '_meta') as { progressToken: number }).progressToken);
      sharing.server.peer.notify(
        'notifications/progress',
        `{"progressToken":${token},"progress":${progress}}`,
      );
    }
    for (const tool of ['first', 'second']) (await sharing.server.called(tool)).result('{}');
    await Promise.all([first.answered, second.answered]);
    expect([first.seen, second.seen]).toEqual([[1, 3], [2]]);
  });

  it('of one call leave the other alone', async () => {
    const { sharing, one, two } = await twoSessions();
    const abort = new AbortController();
    const cancelled = call(two, 'cancelled', abort.signal).catch(() => 'cancelled');
    const kept = call(one, 'kept');
    const [first, second] = [await sharing.server.called('cancelled'), await sharing.server.called('kept')];
    abort.abort();
    await waitFor('the server hears of it', () => !first.isOpen);
    expect(await cancelled).toBe('cancelled');
    second.result('{"kept":1}');
    expect(resultOf(await kept)).toBe('{"kept":1}');
  });
});

describe('what the server asks', () => {
  it('goes to the session with an open call, and its answer back', async () => {
    const { sharing, one, two } = await twoSessions();
    void call(two, 'asks').catch(() => {});
    await sharing.server.called('asks');
    const answer = sharing.server.peer.request('elicitation/create', '{"message":"which?"}');
    const request = await waitFor('the session is asked', () => two.requests[0]);
    request.result('{"action":"accept","n":1.0}');
    expect(resultOf(await answer)).toBe('{"action":"accept","n":1.0}');
    expect(one.requests).toEqual([]);
  });

  it('goes to the first session when nobody called, also after calls are over', async () => {
    const { sharing, one, two } = await twoSessions();
    const over = call(two, 'short');
    (await sharing.server.called('short')).result('{}');
    await over;
    void sharing.server.peer.request('roots/list').catch(() => {});
    await waitFor('the first is asked', () => one.requests.length === 1);
    expect(two.requests).toEqual([]);
  });

  it('goes to another when the one that called left', async () => {
    const { sharing, one, two } = await twoSessions();
    const lost = call(two, 'asks').catch(() => {});
    await sharing.server.called('asks');
    const unanswered = sharing.server.peer.request('elicitation/create', '{}');
    await waitFor('the caller is asked', () => two.requests.length === 1);
    await two.connection.close();
    await lost;
    expect((await unanswered).error).toBeDefined();
    void sharing.server.peer.request('roots/list').catch(() => {});
    await waitFor('the first is asked', () => one.requests.length === 1);
  });
});

describe('what the server tells', () => {
  it('goes to every session, and a name of our own to none', async () => {
    const { sharing, one, two } = await twoSessions();
    sharing.server.peer.notify('notifications/toolsift.share/closed', '{}');
    sharing.server.peer.notify('notifications/tools/list_changed', '{"x":1.0}');
    for (const { notifications } of [one, two]) {
      const [frame] = await waitFor('it is told', () => notifications.length > 0 && notifications);
      expect(frame?.params === undefined ? '' : textOf(frame, frame.params)).toBe('{"x":1.0}');
      expect(notifications).toHaveLength(1);
    }
  });

  it('of a resource goes to those that subscribed; the server hears of the first and the last', async () => {
    const { sharing, one, two } = await twoSessions();
    const ask = ({ connection }: Session, verb: string) =>
      connection.peer.request(`resources/${verb}`, '{"uri":"a://b"}');
    const counted = () => sharing.server.methods().filter((method) => method.startsWith('resources/'));
    await ask(two, 'subscribe');
    sharing.server.peer.notify('notifications/resources/updated', '{"uri":"a://b"}');
    await waitFor('the subscriber hears of it', () => two.notifications.length === 1);
    await ask(one, 'subscribe');
    await ask(two, 'unsubscribe');
    sharing.server.peer.notify('notifications/resources/updated', '{"uri":"a://b/part"}');
    await waitFor('the other hears of it', () => one.notifications.length === 1);
    expect(two.notifications).toHaveLength(1);
    expect(counted()).toEqual(['resources/subscribe', 'resources/subscribe']);
    await ask(two, 'subscribe');
    await ask(one, 'unsubscribe');
    await two.connection.close();
    await waitFor('nobody is subscribed', () => counted().at(-1) === 'resources/unsubscribe');
  });

  it('of its log is as verbose as the most curious session wants, and no more for the others', async () => {
    const { sharing, one, two } = await twoSessions();
    const setLevel = ({ connection }: Session, level: string) =>
      connection.peer.request('logging/setLevel', JSON.stringify({ level }));
    const levels = () =>
      sharing.server.received
        .filter(({ method }) => method === 'logging/setLevel')
        .map((frame) => param(frame, 'level'));
    await setLevel(one, 'error');
    await setLevel(two, 'debug');
    await setLevel(one, 'warning');
    expect(levels()).toEqual(['error', 'debug', 'debug']);
    sharing.server.peer.notify('notifications/message', '{"level":"info","data":1}');
    sharing.server.peer.notify('notifications/message', '{"level":"error","data":2}');
    await waitFor('both are told', () => one.notifications.length > 0 && two.notifications.length > 1);
    expect(one.notifications.map((frame) => param(frame, 'data'))).toEqual([2]);
    expect(two.notifications.map((frame) => param(frame, 'data'))).toEqual([1, 2]);
    await two.connection.close();
    await waitFor('the level goes back', () => levels().at(-1) === 'warning');
  });
});
