import { describe, expect, it, onTestFinished } from 'vitest';
import { Direct, startDirect } from '../helpers/direct.ts';
import { fixture } from '../helpers/fixture.ts';
import { at, jsonOf, textOf } from '../helpers/message.ts';
import { expectNoProcessesLeft } from '../helpers/processes.ts';
import { resultText } from '../helpers/raw-client.ts';
import { memberText, textAt } from '../helpers/raw-json.ts';
import { waitFor } from '../helpers/wait-for.ts';

/** The fixtures themselves, with nothing in between: a fixture that behaves proves nothing. */
describe('fixture servers, asked directly', () => {
  it('show the raw text that reached them', async () => {
    const { client } = await startDirect(fixture('echo', ['a', 'b']));
    const line =
      '{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"show_request","arguments":{"n":1.0}}}';
    expect(textOf(await client.askLine(line, 77))).toBe(line);
  });

  it('page their lists, or repeat one cursor', async () => {
    const paged = await startDirect(fixture('paginated', ['2', '1']));
    const first = await paged.client.ask('tools/list');
    expect(at(first.result, 'nextCursor')).toBe('page:1');
    const last = await paged.client.ask('tools/list', { cursor: 'page:1' });
    expect(at(last.result, 'nextCursor')).toBeUndefined();
    const repeating = await startDirect(fixture('paginated', ['3', '1', 'repeat']));
    const second = await repeating.client.ask('tools/list', { cursor: 'page:1' });
    expect(at(second.result, 'nextCursor')).toBe('page:1');
  });

  it('change their tools and say so', async () => {
    const direct = await startDirect(fixture('changing-tools'));
    await direct.call('add', { name: 'second' });
    await direct.client.notified('notifications/tools/list_changed');
    const tools = at((await direct.client.ask('tools/list')).result, 'tools');
    expect(tools).toContainEqual(expect.objectContaining({ name: 'second' }));
  });

  it('hold a call until it is released', async () => {
    const direct = await startDirect(fixture('slow'));
    const held = direct.call('hold', { key: 'k' });
    await direct.call('release', { key: 'k' });
    expect(textOf(await held)).toBe('released k');
  });

  it('fail in the two ways the protocol knows', async () => {
    const failing = await startDirect(fixture('tool-error'));
    expect((await failing.call('fail')).result).toMatchObject({ isError: true });
    const refusing = await startDirect(fixture('protocol-error'));
    expect((await refusing.call('refuse')).error).toEqual({
      code: -32099,
      message: 'quota used up',
      data: { left: 0 },
    });
  });

  it('crash at the start, or in a call', async () => {
    const starting = new Direct(fixture('crash-on-start'));
    onTestFinished(() => starting.stop());
    expect(await starting.client.exited).toEqual({ code: 3, signal: null });
    const calling = await startDirect(fixture('crash-on-call'));
    await expect(calling.call('crash')).rejects.toThrow('process ended (7)');
  });

  it('flood stderr and litter stdout', async () => {
    const noisy = await startDirect(fixture('noisy-stderr'));
    expect(textOf(await noisy.call('say'))).toBe('said');
    expect(noisy.client.stderr.length).toBeGreaterThan(2_000_000);
    const littering = await startDirect(fixture('garbage-stdout'));
    expect(textOf(await littering.call('say'))).toBe('said');
    expect(littering.client.junk.length).toBeGreaterThan(10);
  });

  it.each(['ignores-sigterm', 'spawns-grandchild'])('%s outlives its stdin and SIGTERM', async (name) => {
    const stubborn = new Direct(fixture(name));
    onTestFinished(() => stubborn.stop());
    await stubborn.client.initialize();
    stubborn.client.endInput();
    stubborn.client.kill('SIGTERM');
    await expect(expectNoProcessesLeft(stubborn.pidsFile, 300)).rejects.toThrow('processes left behind');
    await stubborn.client.exited;
  });

  it('ask the client with raw params and show its raw answer', async () => {
    const direct = await startDirect(fixture('asks-client'), { sampling: {} });
    direct.client.handle('sampling/createMessage', () => resultText({ role: 'assistant' }));
    const answer = await direct.call('ask', { method: 'sampling/createMessage', params: '{"n":1.0}' });
    expect(memberText(textOf(answer), 'result')).toBe('{"role":"assistant"}');
    expect(textAt(direct.client.requests[0]?.line ?? '', 'params')).toBe('{"n":1.0}');
  });

  it('report progress under the token given', async () => {
    const direct = await startDirect(fixture('progress'));
    await direct.client.ask('tools/call', {
      name: 'count',
      arguments: { steps: 2, tag: 'a' },
      _meta: { progressToken: '' },
    });
    expect(direct.client.notifications.map((message) => at(message.params, 'progressToken'))).toEqual([
      '',
      '',
    ]);
  });

  it('send answers nobody waits for', async () => {
    const direct = await startDirect(fixture('stray-responses'));
    expect(textOf(await direct.call('stray', { tag: 't' }))).toBe('right t');
    await waitFor('strays are seen', () => direct.client.junk.length > 5);
  });

  it('offer resources, prompts and completion', async () => {
    const { client } = await startDirect(fixture('resources-prompts', ['docs']));
    expect(at((await client.ask('resources/list')).result, 'nextCursor')).toBe('rest');
    const read = await client.ask('resources/read', { uri: 'docs://item/5' });
    expect(at(read.result, 'contents', 0, 'text')).toBe('docs://item/5 read from docs');
    expect(at((await client.ask('prompts/get', { name: 'review' })).result, 'description')).toBe('by docs');
    await client.ask('resources/subscribe', { uri: 'docs://first' });
    await client.ask('tools/call', { name: 'touch', arguments: { uri: 'docs://first' } });
    await client.notified('notifications/resources/updated');
  });

  it('log, run tasks, and speak other versions', async () => {
    const logging = await startDirect(fixture('logging'));
    await logging.call('log', { level: 'error', data: 1 });
    await logging.client.notified('notifications/message');
    const tasks = await startDirect(fixture('tasks'));
    const task = await tasks.client.ask('tools/call', { name: 'long_job', task: {} });
    expect(at(task.result, 'task', 'taskId')).toBe('task-1');
    const future = new Direct(fixture('unknown-version-echo'));
    onTestFinished(() => future.stop());
    expect(at((await future.client.initialize()).result, 'protocolVersion')).toBe('2099-12-31');
  });

  it('answer with as many bytes as asked for, and list tools that are none', async () => {
    const huge = await startDirect(fixture('huge-result'));
    expect(textOf(await huge.call('blob', { bytes: 3_000_000 }))).toHaveLength(3_000_000);
    const bad = await startDirect(fixture('bad-tools'));
    expect(at((await bad.client.ask('tools/list')).result, 'tools', 0)).toBeNull();
    expect(jsonOf(await (await startDirect(fixture('echo'))).call('show_process'))).toHaveProperty(
      'argv',
      [],
    );
  });
});
