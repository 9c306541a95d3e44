import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openPeer, resultOf, send } from './open-peer.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const NAMELESS = '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"disk is full"}}';

/** Keeps answers as they came; an error has no result to show. */
function ask(peer: ReturnType<typeof openPeer>['peer']) {
  const { outgoing, fate } = send(peer);
  return { outgoing, fate };
}

describe('an answer that names no request', () => {
  it.each([NAMELESS, '{"jsonrpc":"2.0","id":"other","result":{"n":1.0}}', resultOf('77')])(
    'is that of the only one that waits: %s',
    async (answer) => {
      const { link, peer } = openPeer();
      const answered = peer.request('a');
      link.receive(answer);
      await vi.advanceTimersByTimeAsync(300);
      expect((await answered).bytes.toString()).toBe(answer);
      expect(peer.openRequests).toBe(0);
    },
  );

  it('counts for nothing where the right one follows', async () => {
    const { link, peer } = openPeer();
    const { fate } = ask(peer);
    link.receive(NAMELESS);
    link.receive(resultOf('1', '"right"'));
    await vi.advanceTimersByTimeAsync(5000);
    expect([fate.answers, fate.lost]).toEqual([['"right"'], []]);
  });

  it('is told to all that can be meant and are not answered', async () => {
    const { link, peer } = openPeer();
    const [one, two, three] = [ask(peer), ask(peer), ask(peer)];
    link.receive(NAMELESS);
    link.receive(resultOf('2', '"right"'));
    const late = ask(peer);
    await vi.advanceTimersByTimeAsync(3000);
    expect([one, two, three, late].map(({ fate }) => fate.lost.length)).toEqual([1, 0, 1, 0]);
    expect(one.fate.lost[0]).toMatchObject({ code: 'upstream_invalid_message' });
    expect(one.fate.lost[0]?.message).toContain('disk is full');
    expect(two.fate.answers).toEqual(['"right"']);
  });

  it('is told at once to whoever waits for initialize', () => {
    const { link, peer } = openPeer();
    const opening = peer.request('initialize');
    link.receive('{"jsonrpc":"2.0","id":"init","result":{}}');
    expect(peer.openRequests).toBe(0);
    return expect(opening).rejects.toThrow('under the id "init", which no request has');
  });

  it('is dropped where it is late, or the second of its kind', async () => {
    const { link, peer } = openPeer();
    const { outgoing } = ask(peer);
    const { fate } = ask(peer);
    outgoing.cancel();
    link.receive(resultOf('1'));
    link.receive(resultOf('1'));
    await vi.advanceTimersByTimeAsync(5000);
    expect([fate.answers, fate.lost]).toEqual([[], []]);
  });

  it('keeps no more than a few timers, however many come', () => {
    const { link, peer } = openPeer();
    ask(peer);
    for (let n = 0; n < 1000; n++) link.receive(NAMELESS);
    expect(vi.getTimerCount()).toBeLessThan(20);
  });
});
