import { describe, expect, it } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { at, type Json, textOf } from '../helpers/message.ts';
import { textAt } from '../helpers/raw-json.ts';
import { sharedToolsift, startToolsift } from '../helpers/toolsift.ts';
import { waitFor } from '../helpers/wait-for.ts';

const toolsift = sharedToolsift({ servers: { progress: fixture('progress'), slow: fixture('slow') } });
const progressOf = (token: Json) =>
  toolsift().client.notifications.filter(
    (message) => message.method === 'notifications/progress' && at(message.params, 'progressToken') === token,
  );

describe('progress', () => {
  it.each<[Json]>([[0], [''], ['token'], [7], ['7'], [-1]])(
    'of a call with token %j comes under that token, before the answer',
    async (progressToken) => {
      const tag = JSON.stringify(progressToken);
      const before = progressOf(progressToken).length;
      const answer = await toolsift().invoke(
        'progress',
        'count',
        { steps: 3, tag },
        { meta: { progressToken } },
      );
      expect(textOf(answer)).toMatch(/(number|string)$/);
      const params = progressOf(progressToken)
        .slice(before)
        .map((message) => message.params);
      expect(params).toEqual(
        [1, 2, 3].map((step) => ({
          progressToken,
          progress: step,
          total: 3,
          message: `${tag}-${step}`,
          'x-extra': { step },
        })),
      );
    },
  );

  it('is passed on as it was written, but for the token', async () => {
    const line = (token: string) =>
      `{"method":"notifications/progress","params":{"progress":0.50,"x":{"n":1.0},"progressToken":${token},"total":1.0,"message":"\\u0041"},"jsonrpc":"2.0"}`;
    await toolsift().invoke(
      'progress',
      'report_raw',
      { line: line('PROGRESS TOKEN') },
      { meta: { progressToken: 'raw' } },
    );
    expect(textAt(progressOf('raw')[0]?.line ?? '', 'params')).toBe(textAt(line('"raw"'), 'params'));
  });

  it('of calls at the same time is told apart', async () => {
    const tokens = ['x', 'y', 11, '11'];
    await Promise.all(
      tokens.map((progressToken, index) =>
        toolsift().call('progress__tick', { everyMs: 5, ticks: index + 2 }, { meta: { progressToken } }),
      ),
    );
    expect(tokens.map((token) => progressOf(token).length)).toEqual([2, 3, 4, 5]);
  });

  it('is not asked for when the client does not ask for it', async () => {
    const answer = await toolsift().invoke('progress', 'count', { steps: 1, tag: 'quiet' });
    expect(textOf(answer)).toBe('counted quiet undefined');
  });

  it('that comes after the answer goes no further', async () => {
    await toolsift().invoke('progress', 'report_late', {}, { meta: { progressToken: 'late' } });
    await toolsift().invoke('progress', 'count', { steps: 1, tag: 'z' }, { meta: { progressToken: 'next' } });
    expect(progressOf('next')).toHaveLength(1);
    expect(progressOf('late')).toHaveLength(0);
  });
});

describe('cancellation', () => {
  it.each<[string, Json]>([
    ['0', 0],
    ['""', ''],
    ['"c-1"', 'c-1'],
    ['-5', -5],
  ])('of request %s reaches the right request of the server, with its reason', async (idText, requestId) => {
    const key = `cancel ${idText}`;
    const { client } = toolsift();
    const params = JSON.stringify({
      name: 'invoke_tool',
      arguments: { server: 'slow', name: 'hold', arguments: { key } },
    });
    client.write(`{"jsonrpc":"2.0","id":${idText},"method":"tools/call","params":${params}}\n`);
    const request = await waitFor('the call reaches the server', () =>
      toolsift()
        .received('slow', 'tools/call')
        .find((message) => at(message.params, 'arguments', 'key') === key),
    );
    client.notify('notifications/cancelled', { requestId, reason: `no longer ${key}` });
    const cancelled = await waitFor('the cancellation reaches the server', () =>
      toolsift()
        .received('slow', 'notifications/cancelled')
        .find((message) => at(message.params, 'reason') === `no longer ${key}`),
    );
    expect(at(cancelled.params, 'requestId')).toBe(request.id);
    expect(textOf(await toolsift().invoke('slow', 'say'))).toBe('called say');
  });

  it('of a call that still waits for its server leaves nothing to answer', async () => {
    const waiting = await startToolsift({
      servers: { silent: fixture('never-initializes'), slow: fixture('slow') },
      awaits: ['slow'],
    });
    const params = '{"name":"invoke_tool","arguments":{"server":"silent","name":"x"}}';
    waiting.client.write(`{"jsonrpc":"2.0","id":"w","method":"tools/call","params":${params}}\n`);
    waiting.client.notify('notifications/cancelled', { requestId: 'w' });
    expect(textOf(await waiting.invoke('slow', 'say'))).toBe('called say');
    expect(await waiting.client.close()).toEqual({ code: 0, signal: null });
  });

  it('of a request that is unknown or answered reaches nobody', async () => {
    const { client } = toolsift();
    const answered = await toolsift().invoke('slow', 'say');
    const before = toolsift().received('slow', 'notifications/cancelled').length;
    client.notify('notifications/cancelled', { requestId: 'never asked' });
    client.notify('notifications/cancelled', { requestId: answered.id ?? null });
    await toolsift().invoke('slow', 'say');
    expect(toolsift().received('slow', 'notifications/cancelled')).toHaveLength(before);
  });

  it('is what calls in flight get when the client goes', async () => {
    const leaving = await startToolsift({ servers: { slow: fixture('slow') } });
    for (const id of [1001, 1002]) {
      leaving.client.write(
        `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"slow__work","arguments":{}}}\n`,
      );
    }
    const calls = () => leaving.received('slow', 'tools/call');
    await waitFor('both calls reach the server', () => calls().length === 2);
    expect(await leaving.client.close()).toEqual({ code: 0, signal: null });
    const cancelled = leaving
      .received('slow', 'notifications/cancelled')
      .map((message) => at(message.params, 'requestId'));
    expect(cancelled.toSorted()).toEqual(
      calls()
        .map((message) => message.id)
        .toSorted(),
    );
  });
});
