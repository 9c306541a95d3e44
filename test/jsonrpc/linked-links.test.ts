import { describe, expect, it, vi } from 'vitest';
import { createLinkedLinks } from '../../src/jsonrpc/linked-links.ts';

const MESSAGE = '{"jsonrpc":"2.0","method":"a"}';

describe('linked links', () => {
  it('carry messages both ways, in order, after the sender has returned', async () => {
    const [one, two] = createLinkedLinks();
    const seen: string[] = [];
    one.onframe = (frame) => seen.push(`one ${frame.method}`);
    two.onframe = (frame) => seen.push(`two ${frame.method}`);
    await Promise.all([one.start(), two.start()]);
    one.send([MESSAGE]);
    one.send(['{"jsonrpc":"2.0",', Buffer.from('"method":"b"}')]);
    two.send(['{"jsonrpc":"2.0","method":"c"}']);
    expect(seen).toEqual([]);
    await Promise.resolve();
    expect(seen).toEqual(['two a', 'two b', 'one c']);
  });

  it('tell both ends that they were closed, and carry nothing after that', async () => {
    const [one, two] = createLinkedLinks();
    const [onclose, otherclose, onframe] = [vi.fn(), vi.fn(), vi.fn()];
    one.onclose = onclose;
    two.onclose = otherclose;
    one.onframe = onframe;
    await one.close();
    two.send([MESSAGE]);
    await vi.waitFor(() => expect(otherclose).toHaveBeenCalledOnce());
    expect(onclose).toHaveBeenCalledOnce();
    expect(otherclose.mock.calls[0]?.[0]).toBeInstanceOf(Error);
    expect(onframe).not.toHaveBeenCalled();
  });
});
