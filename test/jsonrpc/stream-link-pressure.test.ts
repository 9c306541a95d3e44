import { PassThrough, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../src/jsonrpc/frame.ts';
import type { LinkFault } from '../../src/jsonrpc/link.ts';
import { rewritten } from '../../src/jsonrpc/message.ts';
import { StreamLink } from '../../src/jsonrpc/stream-link.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { aboutOf } from './messages.ts';

const notice = (n: number) => `{"jsonrpc":"2.0","method":"n","params":{"n":${n}}}`;
const request = (n: number) => `{"jsonrpc":"2.0","id":${n},"method":"ask"}`;
const lines = (count: number, text: (n: number) => string) =>
  `${Array.from({ length: count }, (_, n) => text(n)).join('\n')}\n`;

/** A stream nobody takes anything from until `take` is called. */
function untaken() {
  const waiting: (() => void)[] = [];
  const output = new Writable({ highWaterMark: 1000, write: (_chunk, _, done) => void waiting.push(done) });
  const take = async () => {
    while (waiting.length > 0) {
      waiting.shift()?.();
      await nextTurn();
    }
  };
  return { output, take };
}

function open(output: Writable = new PassThrough(), onframe: (frame: Frame) => void = () => {}) {
  const input = new PassThrough({ highWaterMark: 10_000_000 });
  const link = new StreamLink({ input, output, maxMessageBytes: 1_000_000 });
  const frames: Frame[] = [];
  const faults: LinkFault[] = [];
  void link.start({
    onframe: (frame) => {
      frames.push(frame);
      onframe(frame);
    },
    onfault: (fault) => faults.push(fault),
    onclose: () => {},
  });
  return { link, input, frames, faults };
}

/** Everything that comes from the first link is sent on over the second. */
function forwarding(output: Writable) {
  const to = open(output);
  const from = open(new PassThrough(), (frame) => {
    const { chunks, about } = rewritten({
      ...aboutOf(frame.bytes.toString()),
      source: { frame, edits: [] },
    });
    to.link.send(chunks, about);
  });
  return { from, to };
}

describe('a stream that brings more than its turn', () => {
  it('waits until the others had theirs, and loses nothing', async () => {
    const [greedy, other] = [open(), open()];
    greedy.input.write(lines(5000, notice));
    other.input.write(`${request(1)}\n`);
    await waitFor('the other is read', () => other.frames.length === 1);
    expect(greedy.frames.length).toBeLessThan(1000);
    await waitFor('all is read', () => greedy.frames.length === 5000);
    expect(greedy.frames.map(({ bytes }) => bytes.toString())).toEqual(
      Array.from({ length: 5000 }, (_, n) => notice(n)),
    );
  });

  it('is read to its end even where it ends before its next turn', async () => {
    const { input, frames } = open();
    input.end(lines(500, notice));
    await waitFor('all is read', () => frames.length === 500);
  });
});

describe('a stream whose messages are not taken at the other side', () => {
  it('is not read until they are, and goes on then', async () => {
    const { output, take } = untaken();
    const { from } = forwarding(output);
    from.input.write(lines(20_000, notice));
    await waitFor('something is read', () => from.frames.length > 0);
    for (let turn = 0; turn < 50; turn++) await nextTurn();
    const read = from.frames.length;
    expect(read).toBeLessThan(500);
    for (let turn = 0; turn < 50; turn++) await nextTurn();
    expect(from.frames.length).toBe(read);
    await take();
    await waitFor('more is read', () => from.frames.length > read);
  });

  it('does not keep another stream to that side from being read', async () => {
    const { output } = untaken();
    const { from, to } = forwarding(output);
    from.input.write(lines(20_000, notice));
    await waitFor('something is read', () => from.frames.length > 0);
    to.input.write(`${request(1)}\n`);
    await waitFor('the other side is heard', () => to.frames.length === 1);
  });

  it('is read again when the other side is gone', async () => {
    const { output } = untaken();
    const { from, to } = forwarding(output);
    from.input.write(lines(2000, notice));
    await waitFor('something is read', () => from.frames.length > 0);
    to.input.end();
    await waitFor('all is read', () => from.frames.length === 2000);
  });
});

describe('a side that takes nothing', () => {
  const BIG = Buffer.alloc(9_000_000, ' ');

  it('gets no further requests, whose senders are told at once', async () => {
    const { output } = untaken();
    const { link, faults } = open(output);
    for (let n = 1; n <= 3; n++) link.send([BIG], { kind: 'request', id: String(n), method: 'a' });
    await waitFor('the third is refused', () => faults.length === 1);
    expect(faults[0]).toMatchObject({ kind: 'lost', id: '3', error: { code: 'upstream_unavailable' } });
  });

  it('is not listened to when it asks all the same', async () => {
    const { output, take } = untaken();
    const { link, input, frames } = open(output);
    for (let n = 1; n <= 3; n++) link.send([BIG], { kind: 'response', id: String(n) });
    await nextTurn();
    input.write(`${request(1)}\n`);
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    expect(frames).toEqual([]);
    await take();
    await waitFor('it is heard', () => frames.length === 1);
  });
});
