import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/jsonrpc/frame.ts';
import { toolText } from '../catalog/samples.ts';
import { settled } from '../upstream/fake-clock.ts';
import { Client } from './client.ts';
import { FakeUpstream } from './fake-upstream.ts';

const CONTENT = '{"content":[],"n":1.0,"big":9007199254740993,"__proto__":1e400}';

/** A server whose calls are answered with odd JSON. */
const oddServer = (name: string, more: ConstructorParameters<typeof FakeUpstream>[1] = {}) =>
  new FakeUpstream(name, { on: { 'tools/call': () => CONTENT }, ...more });

describe('a client that says hello', () => {
  it('is answered at once, and upstreams are to get its parameters as they are', async () => {
    const client = new Client(new FakeUpstream('a', { state: 'idle' }));
    const answer = await client.hello('{"roots":{"listChanged":true},"x":1.0}');
    expect(textOf(answer, answer.result ?? { start: 0, end: 0 })).toContain('"name":"toolsift"');
    expect(client.params).toEqual([
      '{"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true},"x":1.0},"clientInfo":{"name":"t","version":"1"}}',
    ]);
    expect(client.hellos).toBe(1);
  });

  it('may say it twice, or never: upstreams are wanted once', async () => {
    const client = new Client();
    await client.ask('tools/list');
    expect([client.hellos, client.params]).toEqual([1, []]);
    await client.hello();
    await client.hello();
    expect(client.hellos).toBe(1);
  });

  it('may ping and probe before that without anything being started', async () => {
    const client = new Client();
    expect(await client.textOf('ping')).toBe('{}');
    expect(JSON.parse(await client.textOf('server/discover'))).toMatchObject({ code: -32601 });
    expect(client.hellos).toBe(0);
  });

  it('is told when it has left', async () => {
    const client = new Client();
    await client.peer.close();
    await settled();
    expect(client.closed).toBeInstanceOf(Error);
  });
});

describe('a client that searches', () => {
  it('finds tools with server, name and schema, and hears how complete the answer is', async () => {
    const client = new Client(new FakeUpstream('git'), new FakeUpstream('db', { state: 'starting' }));
    client.put('git', [toolText('create_issue'), toolText('list_branches')]);
    const { text, isError } = await client.call('search_tools', { query: 'create an issue' });
    expect(isError).toBe(false);
    expect(JSON.parse(text)).toMatchObject({
      tools: [{ server: 'git', name: 'create_issue', inputSchema: { type: 'object' } }],
      known: 2,
      unavailable: [{ server: 'db', state: 'starting' }],
    });
  });

  it('is told what is wrong with its arguments', async () => {
    const client = new Client(new FakeUpstream('git'));
    const bad = [
      {},
      { query: 7 },
      { query: 'x', k: 0 },
      { query: 'x', k: 'many' },
      { query: 'x', detail: 'all' },
    ];
    for (const args of bad) {
      expect(await client.call('search_tools', args)).toMatchObject({
        isError: true,
        code: 'invalid_arguments',
      });
    }
    expect(await client.call('search_tools', { query: 'x', server: 'nope' })).toMatchObject({
      code: 'unknown_server',
      text: expect.stringContaining('there are: git'),
    });
  });

  it('may give k as text, and gets that many', async () => {
    const client = new Client(new FakeUpstream('git'));
    client.put('git', ['issue_a', 'issue_b', 'issue_c']);
    const { text } = await client.call('search_tools', { query: 'issue', k: '2' });
    expect((JSON.parse(text) as { tools: object[] }).tools).toHaveLength(2);
  });

  it('sees the state of every server, and the pins that stand for nothing', async () => {
    const client = new Client(
      oddServer('a'),
      new FakeUpstream('b', { state: 'failed', reason: 'exited with code 1' }),
    );
    client.settings = { ...client.settings, pinned: ['nope'] };
    client.put('a', ['x', 'y']);
    const { text } = await client.call('list_servers', {});
    expect(JSON.parse(text)).toMatchObject({
      servers: [
        { name: 'a', tools: 2, state: 'ready' },
        { name: 'b', tools: 0, state: 'failed', reason: 'exited with code 1', fix: expect.any(String) },
      ],
      pinsWithoutTool: ['nope'],
    });
  });
});

describe('a call', () => {
  const CALLS = [
    [
      'through invoke_tool',
      'invoke_tool',
      (args: string) => `{"server":"a","name":"x.y","arguments":${args}}`,
    ],
    ['as server__name', 'a__x.y', (args: string) => args],
    ['of a pinned tool', 'pinned_one', (args: string) => args],
  ] as const;

  it.each(CALLS)('%s is forwarded and answered byte for byte', async (_, name, wrap) => {
    const upstream = oddServer('a');
    const client = new Client(upstream);
    client.settings = { ...client.settings, pinned: ['pinned_one'] };
    client.put('a', ['x.y', 'pinned_one']);
    const args = '{ "n":1.0, "big":12345678901234567890, "a":1,"a":2 }';
    const params = `{"_meta":{"k":1e400},"name":"${name}", "arguments" : ${wrap(args)}}`;
    expect(await client.textOf('tools/call', params)).toBe(CONTENT);
    const tool = name === 'pinned_one' ? name : 'x.y';
    expect(upstream.server.receivedOf('tools/call')).toEqual([
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"k":1e400},"name":"${tool}", "arguments" : ${args}}}`,
    ]);
  });

  it('starts the server it is for, and no other', async () => {
    const [a, b] = [oddServer('a', { state: 'idle' }), oddServer('b', { state: 'idle' })];
    const client = new Client(a, b);
    client.put('a', ['x']);
    client.put('b', ['x']);
    await client.call('invoke_tool', { server: 'a', name: 'x' });
    expect([a.starts, b.starts]).toEqual([1, 0]);
  });

  it('hands an error of the server on as it is', async () => {
    const error = '{"code":-32042,"message":"MCP error","data":{"url":"x","n":1.0}}';
    const upstream = new FakeUpstream('a', {
      on: {
        'tools/call': (request) => {
          const { code, message, data } = JSON.parse(error) as {
            code: number;
            message: string;
            data: object;
          };
          request.error(code, message, data);
          return undefined;
        },
      },
    });
    const client = new Client(upstream);
    client.put('a', ['x']);
    const text = await client.textOf(
      'tools/call',
      '{"name":"invoke_tool","arguments":{"server":"a","name":"x"}}',
    );
    expect(text).toBe(error.replace('1.0', '1'));
  });

  it('understands a name that repeats its server', async () => {
    const upstream = oddServer('a');
    const client = new Client(upstream);
    client.put('a', ['x']);
    for (const name of ['a__x', 'a/x']) await client.call('invoke_tool', { server: 'a', name });
    expect(upstream.server.receivedOf('tools/call').every((text) => text.includes('"name":"x"'))).toBe(true);
    expect(upstream.server.receivedOf('tools/call')).toHaveLength(2);
  });

  it.each([
    [
      'a server that is not configured',
      { server: 'nope', name: 'x' },
      'unknown_server',
      /no server "nope".*is on: a/,
    ],
    [
      'a tool its server does not have',
      { server: 'a', name: 'xs' },
      'unknown_tool',
      /no tool "xs"; search_tools finds what there is/,
    ],
    [
      'a server that cannot be started',
      { server: 'down', name: 'x' },
      'upstream_exited',
      /server "down".*exited with code 1/,
    ],
    [
      'arguments that are no object',
      { server: 'a', name: 'x', arguments: [1] },
      'invalid_arguments',
      /not an array/,
    ],
    ['no name', { server: 'a' }, 'invalid_arguments', /needs "name" as a string; it is missing/],
  ])('of %s is refused in words that say what to do', async (_, args, code, message) => {
    const upstream = oddServer('a');
    const client = new Client(upstream, new FakeUpstream('down', { state: 'failed' }));
    client.put('a', ['x']);
    const answer = await client.call('invoke_tool', args);
    expect(answer).toMatchObject({ isError: true, code });
    expect(answer.text).toMatch(message);
    expect(upstream.server.receivedOf('tools/call')).toEqual([]);
  });

  it.each(['{"name":"nope"}', '{"name":7}', '{}', '[]', 'null'])(
    'with params %s is a protocol error',
    async (params) => {
      const client = new Client(oddServer('a'));
      expect(JSON.parse(await client.textOf('tools/call', params))).toMatchObject({ code: -32602 });
    },
  );

  it('that its server dies in is answered, and says that it was not repeated', async () => {
    const upstream = new FakeUpstream('a', {
      on: {
        'tools/call': () => {
          void upstream.server.peer.close();
          return undefined;
        },
      },
    });
    const client = new Client(upstream);
    client.put('a', ['x']);
    const { text, code, isError } = await client.call('invoke_tool', { server: 'a', name: 'x' });
    expect([isError, code]).toEqual([true, 'upstream_exited']);
    expect(text).toMatch(/server "a" ended during the call of x.*not repeated/);
  });
});
