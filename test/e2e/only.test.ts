import { expect, it } from 'vitest';
import { startDirect } from '../helpers/direct.ts';
import { fixture } from '../helpers/fixture.ts';
import { at, type Json } from '../helpers/message.ts';
import type { RawClient } from '../helpers/raw-client.ts';
import { memberText } from '../helpers/raw-json.ts';
import { startToolsift } from '../helpers/toolsift.ts';

const outcomeOf = async (client: RawClient, method: string, params: Json = {}) => {
  const { line } = await client.ask(method, params);
  return memberText(line, 'result') ?? memberText(line, 'error');
};
const startOnly = (entry: ReturnType<typeof fixture>) =>
  startToolsift({
    servers: { it: entry, other: fixture('echo') },
    args: ['--only', 'it'],
    initializes: false,
  });

it('with --only a server is itself: its capabilities, instructions, tools and answers', async () => {
  const { client: direct } = await startDirect(fixture('echo'));
  const { client } = await startOnly(fixture('echo'));
  const told = (await client.initialize()).result;
  expect(at(told, 'instructions')).toBe('Echoes what it is told.');
  expect(at(told, 'capabilities')).toEqual({ tools: { listChanged: true } });
  for (const [method, params] of [
    ['tools/list', {}],
    ['tools/call', { name: 'echo', arguments: { n: 1 } }],
    ['tools/call', { name: 'no_such_tool', arguments: {} }],
    ['tools/call', { name: 'search_tools', arguments: { query: 'x' } }],
    ['prompts/list', {}],
    ['ping', {}],
  ] as const) {
    expect(await outcomeOf(client, method, params), method).toBe(await outcomeOf(direct, method, params));
  }
});

it('with --only prompts, resources and completion keep their names', async () => {
  const entry = fixture('resources-prompts', ['docs']);
  const { client: direct } = await startDirect(entry);
  const { client } = await startOnly(entry);
  await client.initialize();
  for (const [method, params] of [
    ['prompts/list', {}],
    ['prompts/get', { name: 'review' }],
    ['resources/templates/list', {}],
    ['resources/read', { uri: 'shared://notes' }],
    ['resources/read', { uri: 'docs://none' }],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'review' }, argument: { name: 'a', value: 'v' } },
    ],
  ] as const) {
    expect(await outcomeOf(client, method, params), method).toBe(await outcomeOf(direct, method, params));
  }
});

it('with --only a tool list that changes is told of and new tools can be called', async () => {
  const { client } = await startOnly(fixture('changing-tools'));
  await client.initialize();
  await client.ask('tools/call', { name: 'add', arguments: { name: 'second' } });
  await client.notified('notifications/tools/list_changed');
  const tools = at((await client.ask('tools/list')).result, 'tools');
  expect(tools).toContainEqual(expect.objectContaining({ name: 'second' }));
  expect(await outcomeOf(client, 'tools/call', { name: 'second', arguments: {} })).toContain('called second');
});

it('with --only no other server starts', async () => {
  const toolsift = await startOnly(fixture('echo'));
  await toolsift.client.initialize();
  await toolsift.client.ask('tools/list');
  expect(toolsift.received('it').length).toBeGreaterThan(0);
  expect(toolsift.received('other')).toEqual([]);
});

it('with --only a server that is not configured ends toolsift with its name', async () => {
  const toolsift = await startToolsift({
    servers: { it: fixture('echo') },
    args: ['--only', 'no_such_server'],
    initializes: false,
  });
  expect(await toolsift.client.exited).toEqual({ code: 2, signal: null });
  expect(toolsift.client.stderr).toContain('no_such_server');
});
