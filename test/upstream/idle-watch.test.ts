import { describe, expect, it } from 'vitest';
import { IdleWatch } from '../../src/upstream/idle-watch.ts';
import { ignoring, peerOn, TestLink } from '../jsonrpc/messages.ts';
import { FakeClock, settled } from './fake-clock.ts';

const PERIOD_MS = 1000;

function watch() {
  const link = new TestLink();
  const peer = peerOn(link, ignoring);
  const clock = new FakeClock();
  let idleAt: number | undefined;
  const begin = clock.now();
  const idleWatch = new IdleWatch(peer, clock, PERIOD_MS, () => {
    idleAt = clock.now() - begin;
  });
  const ask = () => void peer.request('tools/call').catch(() => {});
  const answer = (id: number) => {
    link.receive(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
    return settled();
  };
  return { clock, idleWatch, ask, answer, idleAt: () => idleAt };
}

describe('IdleWatch', () => {
  it('tells once when nothing has been asked for a period', async () => {
    const { clock, idleAt } = watch();
    await clock.pass(PERIOD_MS - 1);
    expect(idleAt()).toBeUndefined();
    await clock.pass(1);
    expect(idleAt()).toBe(PERIOD_MS);
    expect(clock.timers).toBe(0);
  });

  it('never tells while something is being waited for, and a period after the answer', async () => {
    const { clock, ask, answer, idleAt } = watch();
    ask();
    await clock.pass(20 * PERIOD_MS);
    expect(idleAt()).toBeUndefined();
    await answer(1);
    await clock.pass(PERIOD_MS - 1);
    expect(idleAt()).toBeUndefined();
    await clock.pass(PERIOD_MS);
    expect(idleAt()).toBeDefined();
  });

  it('begins anew with each request, also one that was answered between two looks', async () => {
    const { clock, ask, answer, idleAt } = watch();
    for (let id = 1; id <= 10; id++) {
      await clock.pass(PERIOD_MS * 0.9);
      ask();
      await answer(id);
    }
    expect(idleAt()).toBeUndefined();
    await clock.pass(PERIOD_MS * 1.5);
    expect(idleAt()).toBeDefined();
  });

  it('tells nothing when it is closed', async () => {
    const { clock, idleWatch, idleAt } = watch();
    idleWatch.close();
    await clock.pass(10 * PERIOD_MS);
    expect([idleAt(), clock.timers]).toEqual([undefined, 0]);
  });
});
