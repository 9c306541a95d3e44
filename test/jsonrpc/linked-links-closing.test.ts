import { describe, expect, it, vi } from 'vitest';
import { createLinkedLinks } from '../../src/jsonrpc/linked-links.ts';

describe('linked links that are closed', () => {
  it('say so once, even when both ends close', async () => {
    const [one, two] = createLinkedLinks();
    const [onclose, otherclose] = [vi.fn(), vi.fn()];
    one.onclose = onclose;
    two.onclose = otherclose;
    await one.close();
    await two.close();
    await one.close();
    await vi.waitFor(() => expect(otherclose).toHaveBeenCalled());
    expect([onclose.mock.calls.length, otherclose.mock.calls.length]).toEqual([1, 1]);
  });

  it('deliver first what was sent before, as a stream does', async () => {
    const [one, two] = createLinkedLinks();
    const seen: string[] = [];
    two.onframe = (frame) => seen.push(frame.method);
    two.onclose = () => seen.push('closed');
    one.send(['{"jsonrpc":"2.0","method":"last"}']);
    await one.close();
    await vi.waitFor(() => expect(seen).toContain('closed'));
    expect(seen).toEqual(['last', 'closed']);
  });
});
