import { describe, expect, it } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { at, type Json, jsonOf, textOf } from '../helpers/message.ts';
import { sharedToolsift, startToolsift, type Toolsift } from '../helpers/toolsift.ts';
import { waitFor } from '../helpers/wait-for.ts';

const META_TOOLS = ['search_tools', 'invoke_tool', 'list_servers'];

async function toolsOf(toolsift: Toolsift): Promise<Json[]> {
  const tools = at((await toolsift.client.ask('tools/list')).result, 'tools');
  return Array.isArray(tools) ? tools : [];
}

async function hitsOf(toolsift: Toolsift, args: Json): Promise<Json[]> {
  const hits = at(jsonOf(await toolsift.call('search_tools', args)), 'tools');
  return Array.isArray(hits) ? hits : [];
}

describe('the menu without pins', () => {
  const toolsift = sharedToolsift({
    servers: {
      echo: fixture('echo'),
      pages: fixture('paginated', ['5', '4']),
      circle: fixture('paginated', ['3', '2', 'repeat']),
      bad: fixture('bad-tools'),
    },
    config: { topK: 2 },
  });

  it('is the three meta-tools, marked so that hosts show them at once', async () => {
    const tools = await toolsOf(toolsift());
    expect(tools.map((tool) => at(tool, 'name'))).toEqual(META_TOOLS);
    for (const tool of tools) expect(at(tool, '_meta', 'anthropic/alwaysLoad')).toBe(true);
    for (const index of [0, 2]) expect(at(tools[index], 'annotations', 'readOnlyHint')).toBe(true);
    expect(at(tools[1], 'inputSchema', 'properties', 'arguments')).toMatchObject({
      type: 'object',
      additionalProperties: true,
    });
  });

  it('finds tools of every page, and ends where cursors repeat', async () => {
    for (const name of ['leaf_7', 'leaf_19']) {
      expect((await hitsOf(toolsift(), { query: name }))[0]).toMatchObject({ server: 'pages', name });
    }
    expect(await toolsift().server('pages')).toMatchObject({ tools: 20 });
    expect(textOf(await toolsift().invoke('circle', 'leaf_3'))).toBe('called leaf_3');
  });

  it('loses of a bad list only what is bad', async () => {
    for (const name of ['good', 'no_schema', 'typeless_schema', 'boolean_property', 'bad_output']) {
      expect((await hitsOf(toolsift(), { query: name }))[0]).toMatchObject({ server: 'bad', name });
      expect(textOf(await toolsift().invoke('bad', name))).toBe(`called ${name}`);
    }
  });

  it('answers with as many hits as asked for, be the number text or left out', async () => {
    const query = 'leaf number';
    expect(await hitsOf(toolsift(), { query })).toHaveLength(2);
    expect(await hitsOf(toolsift(), { query, k: 7 })).toHaveLength(7);
    expect(await hitsOf(toolsift(), { query, k: '3' })).toHaveLength(3);
  });

  it('refuses a search it cannot read, in words for the model', async () => {
    for (const args of [{}, { query: 7 }, { query: 'x', k: 'many' }, { query: 'x', k: 0 }]) {
      const answer = await toolsift().call('search_tools', args);
      expect(answer.result, JSON.stringify(args)).toMatchObject({ isError: true });
      expect(textOf(answer)).toMatch('query' in args && args.query === 'x' ? /\bk\b/ : /query/);
    }
  });

  it('says how complete a search is', async () => {
    const answer = jsonOf(await toolsift().call('search_tools', { query: 'leaf number', k: 1 }));
    expect(at(answer, 'matched')).toBeGreaterThanOrEqual(20);
    expect(at(answer, 'known')).toBeGreaterThan(30);
  });
});

describe('a first list of tools that is no use', () => {
  it.each(['fails', 'empty'])('because it %s is not final', async (way) => {
    const toolsift = await startToolsift({ servers: { late: fixture('fails-first-list', [way]) } });
    expect(textOf(await toolsift.invoke('late', 'late_tool'))).toBe('called late_tool');
    expect((await hitsOf(toolsift, { query: 'late_tool' }))[0]).toMatchObject({ name: 'late_tool' });
  });

  it('because it never comes holds up nobody, and its server can be called', async () => {
    const toolsift = await startToolsift({
      servers: { mute: fixture('fails-first-list', ['never']), echo: fixture('echo') },
      awaits: ['echo'],
    });
    expect((await hitsOf(toolsift, { query: 'repeats the arguments' }))[0]).toMatchObject({ name: 'echo' });
    expect(await toolsift.toolNames()).toEqual(META_TOOLS);
    expect(await toolsift.server('mute')).toMatchObject({ tools: 0 });
  });
});

describe('pinned tools', () => {
  it('are advertised as their server describes them, marked as always to be loaded', async () => {
    const toolsift = await startToolsift({ servers: { echo: fixture('echo') }, pinned: ['echo/echo'] });
    const listed = (await toolsOf(toolsift)).find((tool) => at(tool, 'name') === 'echo');
    expect(listed).toEqual({
      name: 'echo',
      description: 'Repeats the arguments it was given',
      title: 'Echo',
      inputSchema: {
        type: 'object',
        properties: { word: { type: 'string', description: 'what to repeat' } },
      },
      annotations: { readOnlyHint: true },
      _meta: { 'example.com/owner': 'fixtures', 'anthropic/alwaysLoad': true },
    });
  });

  it('of the same name carry their server, and both are called right', async () => {
    const toolsift = await startToolsift({
      servers: { a: fixture('echo', ['in a']), b: fixture('echo', ['in b']) },
      pinned: ['show_process'],
    });
    const names = (await toolsOf(toolsift)).map((tool) => at(tool, 'name')).slice(META_TOOLS.length);
    expect(names.toSorted()).toEqual(['a__show_process', 'b__show_process']);
    for (const server of ['a', 'b']) {
      expect(jsonOf(await toolsift.call(`${server}__show_process`, {}))).toHaveProperty('argv', [
        `in ${server}`,
      ]);
    }
  });

  it('get a schema that hosts accept when theirs is none', async () => {
    const toolsift = await startToolsift({
      servers: { bad: fixture('bad-tools') },
      pinned: ['no_schema', 'null_schema', 'text_schema', 'typeless_schema', 'good'],
    });
    const pinned = (await toolsOf(toolsift)).slice(META_TOOLS.length);
    expect(pinned).toHaveLength(5);
    for (const tool of pinned) expect(at(tool, 'inputSchema')).toMatchObject({ type: 'object' });
    const typeless = pinned.find((tool) => at(tool, 'name') === 'typeless_schema');
    expect(at(typeless, 'inputSchema', 'properties')).toEqual({ a: {} });
  });

  it('that nobody offers are reported', async () => {
    const toolsift = await startToolsift({
      servers: { echo: fixture('echo') },
      pinned: ['ghost_tool', 'echo/echo', 'nowhere/echo'],
    });
    await waitFor('the list of servers tells', async () => {
      const text = textOf(await toolsift.call('list_servers', {}));
      return text.includes('ghost_tool') && text.includes('nowhere/echo');
    });
    await waitFor('stderr tells', () => toolsift.client.stderr.includes('ghost_tool'));
  });
});

describe('a tool list that changes', () => {
  it('is told of when, and only when, what is advertised changed', async () => {
    const toolsift = await startToolsift({
      servers: { changing: fixture('changing-tools') },
      pinned: ['changing/pinned'],
    });
    const told = () =>
      toolsift.client.notifications.filter((one) => one.method === 'notifications/tools/list_changed').length;
    const isFound = (name: string) =>
      waitFor(`${name} is found`, async () =>
        (await hitsOf(toolsift, { query: name })).some((hit) => at(hit, 'name') === name),
      );
    expect(await toolsift.toolNames()).toEqual(META_TOOLS);
    const base = told();

    await toolsift.invoke('changing', 'add', { name: 'unpinned' });
    await isFound('unpinned');
    await toolsift.invoke('changing', 'announce', { times: 50 });
    expect(told()).toBe(base);

    await toolsift.invoke('changing', 'add', { name: 'pinned', description: 'one' });
    await waitFor('the pin is told of', () => told() === base + 1);
    expect(await toolsift.toolNames()).toEqual([...META_TOOLS, 'pinned']);

    await toolsift.invoke('changing', 'add', { name: 'pinned', description: 'two', times: 20 });
    await waitFor('the new description is told of', () => told() === base + 2);
    expect((await toolsOf(toolsift)).at(-1)).toMatchObject({ description: 'two' });

    await toolsift.invoke('changing', 'announce', { times: 50 });
    await toolsift.invoke('changing', 'add', { name: 'marker' });
    await isFound('marker');
    await toolsift.invoke('changing', 'remove', { name: 'pinned' });
    await waitFor('the removal is told of', () => told() === base + 3);
    expect(await toolsift.toolNames()).toEqual(META_TOOLS);
  });

  it('is told of when the server of a pin arrives late', async () => {
    const toolsift = await startToolsift({
      servers: { echo: fixture('echo') },
      pinned: ['echo/echo'],
      config: { pinnedWaitSeconds: 0 },
      awaits: [],
    });
    const early = await toolsift.toolNames();
    if (!early.includes('echo')) await toolsift.client.notified('notifications/tools/list_changed');
    expect(await toolsift.toolNames()).toEqual([...META_TOOLS, 'echo']);
  });
});

it('the instructions stay under the size that hosts cut at, however many servers there are', async () => {
  const servers = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [`server-number-${n}`, fixture('echo')]),
  );
  for (const entry of Object.values(servers)) entry.disabled = true;
  const toolsift = await startToolsift({
    servers: { ...servers, echo: fixture('echo') },
    initializes: false,
  });
  const instructions = at((await toolsift.client.initialize()).result, 'instructions');
  expect(instructions).toContain('search_tools');
  expect(Buffer.byteLength(String(instructions))).toBeLessThan(2_048);
});

it('the instructions name the servers that can be used', async () => {
  const servers = { sleeping: fixture('echo', [], { disabled: true }), waking: fixture('echo') };
  const toolsift = await startToolsift({ servers, initializes: false });
  const instructions = at((await toolsift.client.initialize()).result, 'instructions');
  expect(instructions).toContain('waking');
  expect(instructions).not.toContain('sleeping');
});
