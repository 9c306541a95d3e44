import { describe, expect, it } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { textOf } from '../helpers/message.ts';
import { sharedToolsift } from '../helpers/toolsift.ts';

const MEGABYTE = 1_000_000;

describe('within the limit', () => {
  const toolsift = sharedToolsift({ servers: { huge: fixture('huge-result'), echo: fixture('echo') } });

  it('a result of 100 MB passes, and other calls pass it by', { timeout: 60_000 }, async () => {
    const blob = toolsift().invoke('huge', 'blob', { bytes: 100 * MEGABYTE }, { limitMs: 50_000 });
    expect(textOf(await toolsift().invoke('echo', 'echo', { n: 1 }))).toBe('{"n":1}');
    const answer = await blob;
    expect(textOf(answer)).toHaveLength(100 * MEGABYTE);
    const frame = '{"jsonrpc":"2.0","id":,"result":{"content":[{"type":"text","text":""}]}}';
    expect(answer.line).toHaveLength(100 * MEGABYTE + frame.length + JSON.stringify(answer.id).length);
  });

  it('arguments of 20 MB pass', async () => {
    const word = 'é'.repeat(10 * MEGABYTE);
    expect(textOf(await toolsift().invoke('echo', 'echo', { word }))).toHaveLength(
      word.length + '{"word":""}'.length,
    );
  });
});

describe('above the limit', () => {
  const toolsift = sharedToolsift({
    servers: { huge: fixture('huge-result') },
    config: { maxMessageBytes: MEGABYTE },
  });

  it('a result fails its call alone, with the limit in the message, and the connection lives', async () => {
    const over = toolsift().invoke('huge', 'blob', { bytes: 3 * MEGABYTE });
    const within = toolsift().invoke('huge', 'blob', { bytes: MEGABYTE / 2 });
    const message = JSON.stringify([(await over).result ?? null, (await over).error ?? null]);
    expect(message).toMatch(/"isError":true|"code":/);
    expect(message).toMatch(/1[,_ .]?000[,_ .]?000|\b1(\.0)? ?MB|maxMessageBytes/);
    expect(textOf(await within)).toHaveLength(MEGABYTE / 2);
    expect(textOf(await toolsift().invoke('huge', 'say'))).toBe('said');
    expect(toolsift().pids).toHaveLength(1);
  });
});
