import { describe, expect, it } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { at, type Json, textOf } from '../helpers/message.ts';
import { memberText } from '../helpers/raw-json.ts';
import { sharedToolsift, startToolsift } from '../helpers/toolsift.ts';
import { waitFor } from '../helpers/wait-for.ts';

const CALLS = 40;
const toolsift = sharedToolsift({
  servers: {
    slow: fixture('slow'),
    strays: fixture('stray-responses'),
    asks: fixture('asks-client'),
    crashes: fixture('crash-on-call'),
  },
});

describe('calls in flight', () => {
  it('are as many as the client makes, and answered in any order, each to its own', async () => {
    const keys = Array.from({ length: CALLS }, (_, index) => `key-${index}`);
    const held = keys.map((key) => toolsift().invoke('slow', 'hold', { key }));
    const holds = () =>
      toolsift()
        .received('slow', 'tools/call')
        .filter((message) => at(message.params, 'name') === 'hold');
    await waitFor('all calls reach the server', () => holds().length === CALLS);
    expect(new Set(holds().map((message) => memberText(message.line, 'id'))).size).toBe(CALLS);
    await Promise.all(keys.toReversed().map((key) => toolsift().invoke('slow', 'release', { key })));
    expect((await Promise.all(held)).map(textOf)).toEqual(keys.map((key) => `released ${key}`));
  });

  it('do not hold up a call to another server, a search or a ping', async () => {
    const held = toolsift().invoke('slow', 'hold', { key: 'alone' });
    expect(textOf(await toolsift().invoke('strays', 'stray', { tag: 'x' }))).toBe('right x');
    expect(textOf(await toolsift().call('search_tools', { query: 'answers at once' }))).toContain('say');
    expect((await toolsift().client.ask('ping')).result).toEqual({});
    await toolsift().invoke('slow', 'release', { key: 'alone' });
    expect(textOf(await held)).toBe('released alone');
  });
});

describe('a call right after the hello', () => {
  it.each<[string, string, Json]>([
    ['through invoke_tool', 'invoke_tool', { server: 'slow', name: 'say', arguments: {} }],
    ['by server__name', 'slow__say', {}],
    ['of a pinned tool', 'say', {}],
  ])('%s waits for its server', async (_, name, args) => {
    const early = await startToolsift({
      servers: { slow: fixture('slow') },
      pinned: ['slow/say'],
      awaits: [],
    });
    expect(textOf(await early.call(name, args))).toBe('called say');
  });
});

describe('answers nobody waits for', () => {
  it('are ignored, whatever ids they carry', async () => {
    const tags = Array.from({ length: 10 }, (_, index) => `t${index}`);
    const answers = await Promise.all(tags.map((tag) => toolsift().invoke('strays', 'stray', { tag })));
    expect(answers.map(textOf)).toEqual(tags.map((tag) => `right ${tag}`));
  });

  it('are ignored when they come a second time', async () => {
    const tags = ['a', 'b', 'c'];
    const answers = await Promise.all(tags.map((tag) => toolsift().invoke('strays', 'twice', { tag })));
    expect(answers.map(textOf)).toEqual(tags.map((tag) => `first ${tag}`));
  });

  it('are ignored when they come after a cancellation', async () => {
    const { client } = toolsift();
    client.write(
      '{"jsonrpc":"2.0","id":"cancel-me","method":"tools/call","params":{"name":"strays__hold","arguments":{}}}\n',
    );
    client.notify('notifications/cancelled', { requestId: 'cancel-me' });
    const cancelled = await waitFor('the cancellation arrives', () =>
      toolsift().received('strays', 'notifications/cancelled').at(0),
    );
    const id = JSON.stringify(at(cancelled.params, 'requestId'));
    expect(textOf(await toolsift().invoke('strays', 'answer_late'))).toBe(`cancelled was ${id}`);
  });
});

describe('requests', () => {
  it('are pinged back at once, on either side', async () => {
    expect((await toolsift().client.ask('ping', undefined, { id: 'p' })).result).toEqual({});
    const before = toolsift().client.requests.length;
    const raw = textOf(await toolsift().invoke('asks', 'ask', { method: 'ping' }));
    expect(memberText(raw, 'result')).toBe('{}');
    expect(toolsift().client.requests).toHaveLength(before);
  });

  it('of a method nobody knows are answered -32601', async () => {
    const answer = await toolsift().client.ask('no/such_method', {}, { id: '' });
    expect(answer.error).toMatchObject({ code: -32601 });
    expect(answer.id).toBe('');
  });

  it('come in batches too, and are answered one by one', async () => {
    const { client } = toolsift();
    const answers = Promise.all(['b1', 0, 'b3'].map((id) => client.answerTo(id)));
    client.write(
      '[{"jsonrpc":"2.0","id":"b1","method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},' +
        ' {"jsonrpc":"2.0","id":0,"method":"tools/list"},{"jsonrpc":"2.0","id":"b3","method":"tools/call",' +
        '"params":{"name":"strays__twice","arguments":{"tag":"batch"}}}]\n',
    );
    const [ping, list, call] = await answers;
    expect(ping?.result).toEqual({});
    expect(at(list?.result, 'tools', 0)).toHaveProperty('name');
    expect(call && textOf(call)).toBe('first batch');
  });

  it('to discover the next protocol are refused at once, before the client has said hello', async () => {
    const fresh = await startToolsift({
      servers: { silent: fixture('never-initializes') },
      initializes: false,
    });
    const answer = await fresh.client.ask(
      'server/discover',
      {},
      { id: 'server-discover-probe-1', limitMs: 3_000 },
    );
    expect(answer.error).toMatchObject({ code: -32601 });
    expect(at((await fresh.client.initialize()).result, 'protocolVersion')).toBe('2025-11-25');
  });

  it('may all come in one breath, before any answer', async () => {
    const { client } = await startToolsift({ servers: { slow: fixture('slow') }, initializes: false });
    const answers = Promise.all([1, 2, 3].map((id) => client.answerTo(id)));
    const initialize = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    const call = { name: 'invoke_tool', arguments: { server: 'slow', name: 'say' } };
    client.write(
      `${[
        { id: 1, method: 'initialize', params: initialize },
        { method: 'notifications/initialized' },
        { id: 2, method: 'tools/list' },
        { id: 3, method: 'tools/call', params: call },
      ]
        .map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }))
        .join('\n')}\n`,
    );
    const [hello, list, said] = await answers;
    expect(at(hello?.result, 'protocolVersion')).toBe('2025-06-18');
    expect(at(list?.result, 'tools', 0, 'name')).toBe('search_tools');
    expect(said && textOf(said)).toBe('called say');
  });

  it('after lines that are no JSON are answered as ever', async () => {
    const fresh = await startToolsift({ servers: {} });
    fresh.client.write('this is no JSON\n{"jsonrpc":"2.0","id":1,\n\n"text"\n');
    expect((await fresh.client.ask('ping')).result).toEqual({});
    const complaints = fresh.client.junk.splice(0);
    expect(complaints.filter((line) => !line.includes('"id":null'))).toEqual([]);
  });
});

describe('calls that cannot be made', () => {
  it('of a tool that is not advertised are a protocol error that names it', async () => {
    const answer = await toolsift().call('no_such_tool', {});
    expect(answer.error).toMatchObject({ code: -32602, message: expect.stringContaining('no_such_tool') });
  });

  it.each([
    ['an unknown server', { server: 'nowhere', name: 'say', arguments: {} }, ['nowhere', 'slow']],
    ['an unknown tool', { server: 'slow', name: 'no_such_tool', arguments: {} }, ['slow', 'no_such_tool']],
    ['no server', { name: 'say', arguments: {} }, ['server']],
    ['no tool name', { server: 'slow' }, ['name']],
  ])('through invoke_tool with %s are a result the model can read', async (_, args, words) => {
    const answer = await toolsift().call('invoke_tool', args);
    expect(answer.result).toMatchObject({ isError: true });
    for (const word of words) expect(textOf(answer)).toContain(word);
  });
});

describe('a server that dies in mid-call', () => {
  it('fails the calls it had, with its exit code and last words, and is there for the next one', async () => {
    const first = textOf(await toolsift().invoke('crashes', 'say'));
    const held = toolsift().invoke('crashes', 'hold');
    const crashed = await toolsift().invoke('crashes', 'crash');
    for (const answer of [await held, crashed]) {
      expect(answer.result).toMatchObject({ isError: true });
      for (const word of ['crashes', '7', 'panic: index out of range'])
        expect(textOf(answer)).toContain(word);
    }
    const next = textOf(await toolsift().invoke('crashes', 'say'));
    expect(next).toMatch(/^pid \d+$/);
    expect(next).not.toBe(first);
    const calls = toolsift().received('crashes', 'tools/call');
    expect(
      calls.filter((message) => at(message.params, 'name') === 'crash'),
      'never repeated',
    ).toHaveLength(1);
  });

  it('is reported with the signal that ended it', async () => {
    await toolsift().invoke('crashes', 'say');
    const answer = await toolsift().invoke('crashes', 'crash', { signal: 'SIGKILL' });
    expect(answer.result).toMatchObject({ isError: true });
    expect(textOf(answer)).toContain('SIGKILL');
  });
});
