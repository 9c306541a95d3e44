import { describe, expect, it, vi } from 'vitest';
import type { Frame } from '../../src/jsonrpc/frame.ts';
import type { Link } from '../../src/jsonrpc/link.ts';
import { createLinkedLinks } from '../../src/jsonrpc/linked-links.ts';
import { aboutOf } from './messages.ts';

const notice = (method: string) => `{"jsonrpc":"2.0","method":"${method}"}`;
const say = (link: Link, method: string) => link.send([notice(method)], aboutOf(notice(method)));

/** Starts a link and collects what it tells, under a name. */
function listen(link: Link, name: string, seen: string[]): Promise<void> {
  return link.start({
    onframe: (frame: Frame) => seen.push(`${name} ${frame.kind === 'response' ? 'answer' : frame.method}`),
    onfault: () => seen.push(`${name} fault`),
    onclose: () => seen.push(`${name} closed`),
  });
}

describe('linked links', () => {
  it('carry messages both ways, in order, after the sender has returned', async () => {
    const [one, two] = createLinkedLinks();
    const seen: string[] = [];
    await Promise.all([listen(one, 'one', seen), listen(two, 'two', seen)]);
    say(one, 'a');
    one.send(['{"jsonrpc":"2.0",', Buffer.from('"method":"b"}')], { kind: 'notification', method: 'b' });
    say(two, 'c');
    expect(seen).toEqual([]);
    await Promise.resolve();
    expect(seen).toEqual(['two a', 'two b', 'one c']);
  });

  it('keep what came before the other end was started', async () => {
    const [one, two] = createLinkedLinks();
    const seen: string[] = [];
    say(one, 'early');
    await Promise.resolve();
    void listen(two, 'two', seen);
    say(one, 'late');
    await vi.waitFor(() => expect(seen).toEqual(['two early', 'two late']));
  });

  it('tell both ends that they were closed, and carry nothing after that', async () => {
    const [one, two] = createLinkedLinks();
    const seen: string[] = [];
    await Promise.all([listen(one, 'one', seen), listen(two, 'two', seen)]);
    await one.close();
    say(two, 'late');
    await vi.waitFor(() => expect(seen).toContain('two closed'));
    expect(seen).toEqual(['one closed', 'two closed']);
  });

  it('say so once, even when both ends close', async () => {
    const [one, two] = createLinkedLinks();
    const seen: string[] = [];
    await Promise.all([listen(one, 'one', seen), listen(two, 'two', seen)]);
    await one.close();
    await two.close();
    await one.close();
    await vi.waitFor(() => expect(seen).toContain('two closed'));
    expect(seen).toEqual(['one closed', 'two closed']);
  });

  it('deliver first what was sent before they are closed, as a stream does', async () => {
    const [one, two] = createLinkedLinks();
    const seen: string[] = [];
    await listen(two, 'two', seen);
    say(one, 'last');
    await one.close();
    await vi.waitFor(() => expect(seen).toContain('two closed'));
    expect(seen).toEqual(['two last', 'two closed']);
  });
});
