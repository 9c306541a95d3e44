import { describe, expect, it } from 'vitest';
import { StartQueue } from '../../src/proxy/start-queue.ts';
import { settled } from '../upstream/fake-clock.ts';

/** Starts that wait for the test, by name. */
function open(limit: number) {
  const queue = new StartQueue(limit);
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const add = (name: string) =>
    queue.add(
      () =>
        new Promise<void>((resolve, reject) => {
          begun.push(name);
          ends.set(name, (error) => (error === undefined ? resolve() : reject(error)));
        }),
    );
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error);
    await settled();
  };
  return { queue, begun, add, end };
}

describe('StartQueue', () => {
  it('runs as many side by side as the limit says, in order', async () => {
    const { begun, add, end } = open(2);
    for (const name of ['a', 'b', 'c', 'd']) add(name);
    expect(begun).toEqual(['a', 'b']);
    await end('b');
    expect(begun).toEqual(['a', 'b', 'c']);
    await end('a');
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('goes on after a start that failed', async () => {
    const { begun, add, end } = open(1);
    add('a');
    add('b');
    await end('a', new Error('no'));
    expect(begun).toEqual(['a', 'b']);
  });

  it('forgets what has not begun when it is cleared', async () => {
    const { queue, begun, add, end } = open(1);
    add('a');
    add('b');
    queue.clear();
    await end('a');
    add('c');
    expect(begun).toEqual(['a', 'c']);
  });
});
