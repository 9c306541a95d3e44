import { describe, expect, it } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { at, jsonOf, textOf } from '../helpers/message.ts';
import { sharedToolsift, startToolsift } from '../helpers/toolsift.ts';

describe('tasks', () => {
  const toolsift = sharedToolsift({ servers: { jobs: fixture('tasks'), other: fixture('tasks') } });

  it('are created, followed and cancelled at the server that runs them', async () => {
    const { client } = toolsift();
    const params = { name: 'jobs__long_job', arguments: {}, task: { ttl: 60_000 } };
    const created = await client.ask('tools/call', params);
    const taskId = at(created.result, 'task', 'taskId') ?? null;
    expect(taskId).toEqual(expect.any(String));
    expect((await client.ask('tasks/get', { taskId })).result).toMatchObject({ taskId, status: 'completed' });
    expect(textOf(await client.ask('tasks/result', { taskId }))).toContain('result of');
    expect((await client.ask('tasks/cancel', { taskId })).result).toMatchObject({
      taskId,
      status: 'cancelled',
    });
    expect(toolsift().received('jobs', 'tasks/get')).toHaveLength(1);
    expect(toolsift().received('other', 'tasks/get')).toEqual([]);
    const listed = at((await client.ask('tasks/list')).result, 'tasks');
    expect(listed).toContainEqual(expect.objectContaining({ taskId }));
  });

  it('of an id nobody knows are a protocol error', async () => {
    const answer = await toolsift().client.ask('tasks/get', { taskId: 'no-such-task' });
    expect(answer.error).toMatchObject({ code: -32602 });
  });

  it('that a tool insists on are told of in the search answer', async () => {
    const hits = at(jsonOf(await toolsift().call('search_tools', { query: 'long_job' })), 'tools');
    const hit = Array.isArray(hits) ? hits.find((one) => at(one, 'name') === 'long_job') : undefined;
    expect(JSON.stringify(hit)).toMatch(/task/i);
  });

  it('are no condition of a tool that can do without', async () => {
    expect(textOf(await toolsift().invoke('jobs', 'either'))).toBe('ran without a task');
  });
});

describe('protocol versions', () => {
  it.each(['old-protocol', 'unknown-version-echo'])('a server of %s is used', async (name) => {
    const toolsift = await startToolsift({ servers: { it: fixture(name) } });
    expect(textOf(await toolsift.invoke('it', 'say'))).toBe('said');
  });

  it.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
    ['2099-12-31', '2025-11-25'],
  ])('a client that asks for %s gets %s', async (asked, got) => {
    const toolsift = await startToolsift({ servers: {}, initializes: false });
    const answer = await toolsift.client.initialize({ protocolVersion: asked });
    expect(at(answer.result, 'protocolVersion')).toBe(got);
  });
});
