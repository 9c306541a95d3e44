import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Redactor } from '../../../src/upstream/secrets/redactor.ts';
import { StderrTail } from '../../../src/upstream/stdio/stderr-tail.ts';
import { settled } from '../fake-clock.ts';

const NOTHING_SECRET = new Redactor([]);

async function tailOf(...chunks: (string | Buffer)[]): Promise<string> {
  const stream = new PassThrough();
  const tail = new StderrTail(stream);
  for (const chunk of chunks) stream.write(chunk);
  await settled();
  return tail.lastWords(NOTHING_SECRET);
}

describe('StderrTail', () => {
  it('is empty when nothing was said', async () => {
    expect(await tailOf()).toBe('');
    expect(await tailOf('\n \r\n\n')).toBe('');
  });

  it('gives the last four lines on one, without colours and blank lines', async () => {
    expect(await tailOf('one\ntwo\r\n\n\u001b[31mthree\u001b[0m\nfour\n', 'fi', 've\n')).toBe(
      'two | three | four | five',
    );
  });

  it('keeps the end of a long line', async () => {
    expect(await tailOf(`${'x'.repeat(5000)}END`)).toBe(`${'x'.repeat(397)}END`);
  });

  it('joins characters that were cut between chunks', async () => {
    const bytes = Buffer.from('h\u00e9llo \u{1f600}');
    expect(await tailOf(...[...bytes].map((byte) => Buffer.from([byte])))).toBe('h\u00e9llo \u{1f600}');
  });

  it('drains a flood, so that the writer never waits', async () => {
    const stream = new PassThrough();
    const tail = new StderrTail(stream);
    for (let count = 0; count < 500; count++) stream.write(`line ${count} ${'n'.repeat(10_000)}\n`);
    stream.end('the end\n');
    await new Promise((resolve) => stream.once('end', resolve));
    expect(stream.readableLength).toBe(0);
    expect(tail.lastWords(NOTHING_SECRET)).toMatch(/(^|\| )the end$/);
  });

  it('survives a stream that breaks', async () => {
    const stream = new PassThrough();
    const tail = new StderrTail(stream);
    stream.write('last words\n');
    await settled();
    stream.destroy(new Error('EIO'));
    await settled();
    expect(tail.lastWords(NOTHING_SECRET)).toBe('last words');
  });
});
