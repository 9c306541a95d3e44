import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import type { LinkFault } from '../../src/jsonrpc/link.ts';
import { StreamLink } from '../../src/jsonrpc/stream-link.ts';

async function open(maxMessageBytes = 1_000_000) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const link = new StreamLink({ input, output, maxMessageBytes });
  const frames: string[] = [];
  const faults: LinkFault[] = [];
  const onclose = vi.fn<(reason: Error) => void>();
  await link.start({
    onframe: (frame) => frames.push(frame.bytes.toString()),
    onfault: (fault) => faults.push(fault),
    onclose,
  });
  return { link, input, output, frames, faults, onclose };
}

const ABOUT = { kind: 'notification', method: 'a' } as const;
const A = '{"jsonrpc":"2.0","method":"a"}';
const B = '{"jsonrpc":"2.0","id":1,"result":"\u00e9\u{1f600}"}';

describe('StreamLink', () => {
  it('reads one message a line, with CRLF, blank lines, a byte order mark and characters cut in two', async () => {
    const { input, frames, faults } = await open();
    const bytes = Buffer.from(`\ufeff${A}\r\n\n \r\n${B}\n`);
    for (const byte of bytes) input.write(Buffer.from([byte]));
    await vi.waitFor(() => expect(frames).toEqual([`${A}\r`, B]));
    expect(faults).toEqual([]);
  });

  it('reads the messages of a batch one by one', async () => {
    const { input, frames } = await open();
    input.write(`[${A}, ${B}]\n`);
    await vi.waitFor(() => expect(frames).toEqual([A, B]));
  });

  it('keeps the beginning of lines that are no message, and goes on', async () => {
    const { input, frames, faults } = await open();
    input.write(`Server running ${'x'.repeat(5000)}\n{"jsonrpc":"2.0","id":1,"res\n${A}\n`);
    await vi.waitFor(() => expect(frames).toEqual([A]));
    expect(faults).toMatchObject([
      { kind: 'junk', line: `Server running ${'x'.repeat(4096 - 15)}` },
      { kind: 'junk', line: '{"jsonrpc":"2.0","id":1,"res' },
    ]);
  });

  it('drops a message above the limit with its id, and goes on', async () => {
    const { input, frames, faults } = await open(100);
    const big = `{"jsonrpc":"2.0","id":"x","result":"${'y'.repeat(300)}"}`;
    input.write(`${big}\n${A}\n`);
    await vi.waitFor(() => expect(frames).toEqual([A]));
    expect(faults).toEqual([{ kind: 'oversize', bytes: big.length, limit: 100, id: '"x"', of: 'response' }]);
  });

  it('writes small messages in one piece and large ones complete, each on a line', async () => {
    const pieces: Buffer[] = [];
    const output = new Writable({
      write: (chunk: Buffer, _, done) => {
        pieces.push(chunk);
        done();
      },
    });
    const link = new StreamLink({ input: new PassThrough(), output, maxMessageBytes: 100 });
    const large = Buffer.from(`"${'z'.repeat(100_000)}"`);
    link.send(['{"a":', Buffer.from('1'), '}'], ABOUT);
    await vi.waitFor(() => expect(pieces).toHaveLength(1));
    link.send(['[', large, ',', large, ']'], ABOUT);
    await new Promise<void>((resolve) => output.end(resolve));
    expect(pieces[0]?.toString()).toBe('{"a":1}\n');
    // Compared by a claim: a difference of this size is nothing to print.
    expect(Buffer.concat(pieces).toString() === `{"a":1}\n[${large},${large}]\n`).toBe(true);
  });

  it('hands out the last line when the stream ends without a line end, then says once that it is over', async () => {
    const { input, frames, onclose } = await open();
    onclose.mockImplementation(() => frames.push('closed'));
    input.end(A);
    await vi.waitFor(() => expect(frames).toEqual([A, 'closed']));
    await vi.waitFor(() => expect(input.closed).toBe(true));
    expect(onclose).toHaveBeenCalledOnce();
  });

  it('is over when its input is destroyed without an end', async () => {
    const { input, onclose } = await open();
    input.destroy();
    await vi.waitFor(() => expect(onclose).toHaveBeenCalledOnce());
  });

  it.each(['input', 'output'] as const)('is over with the reason when its %s fails', async (side) => {
    const streams = await open();
    const failure = new Error('EPIPE');
    streams[side].destroy(failure);
    await vi.waitFor(() => expect(streams.onclose).toHaveBeenCalledOnce());
    expect(streams.onclose).toHaveBeenCalledWith(failure);
    expect(() => streams.link.send([A], ABOUT)).not.toThrow();
  });

  it('sends nothing once it is over', async () => {
    const { link, input, output, onclose } = await open();
    input.end();
    input.resume();
    await vi.waitFor(() => expect(onclose).toHaveBeenCalledOnce());
    link.send([A], ABOUT);
    expect(output.readableLength).toBe(0);
  });

  it('ends its output when it is closed, after what was sent', async () => {
    const { link, output } = await open();
    link.send([A], ABOUT);
    await link.close();
    const text: string[] = [];
    for await (const piece of output) text.push(String(piece));
    expect(text.join('')).toBe(`${A}\n`);
  });
});
