import { describe, expect, it } from 'vitest';
import { settled } from '../upstream/fake-clock.ts';
import { Client } from './client.ts';
import { FakeUpstream, type FakeUpstreamOptions } from './fake-upstream.ts';

const READ = 'resources/read';
const has = ['tools', 'resources', 'prompts', 'completions'];

function serverOf(name: string, on: FakeUpstreamOptions['on'] = {}, more: FakeUpstreamOptions = {}) {
  const answer = () => `{"from":"${name}","n":1.0}`;
  const methods = [
    READ,
    'resources/subscribe',
    'resources/unsubscribe',
    'prompts/get',
    'completion/complete',
    'tasks/get',
  ];
  return new FakeUpstream(name, {
    has,
    on: { ...Object.fromEntries(methods.map((method) => [method, answer])), ...on },
    ...more,
  });
}
const asked = ({ server }: FakeUpstream, method: string) =>
  server.receivedOf(method).map((text) => /"params":(.*)}$/.exec(text)?.[1]);

describe('resources', () => {
  it('are listed from the catalog without any server running', async () => {
    const upstream = serverOf('a', {}, { state: 'idle' });
    const client = new Client(upstream);
    client.put('a', [], {
      resources: ['{"uri":"x:1","n":1.0}'],
      resourceTemplates: ['{"uriTemplate":"y:{z}"}'],
    });
    expect(await client.textOf('resources/list')).toBe('{"resources":[{"uri":"x:1","n":1.0}]}');
    expect(await client.textOf('resources/templates/list')).toBe(
      '{"resourceTemplates":[{"uriTemplate":"y:{z}"}]}',
    );
    expect(upstream.starts).toBe(0);
  });

  it('are read from the server that lists them, and its answer comes as it was written', async () => {
    const [a, b] = [serverOf('a'), serverOf('b')];
    const client = new Client(a, b);
    client.put('a', [], { resources: ['{"uri":"x:1"}'] });
    client.put('b', [], { resources: ['{"uri":"x:1"}', '{"uri":"x:2"}'] });
    expect(await client.textOf(READ, '{"uri":"x:1","n":1.0}')).toBe('{"from":"a","n":1.0}');
    expect(await client.textOf(READ, '{"uri":"x:2"}')).toBe('{"from":"b","n":1.0}');
    expect(await client.textOf(READ, '{"uri":"toolsift:b:x:1","n":1.0}')).toBe('{"from":"b","n":1.0}');
    expect(asked(a, READ)).toEqual(['{"uri":"x:1","n":1.0}']);
    expect(asked(b, READ)).toEqual(['{"uri":"x:2"}', '{"uri":"x:1","n":1.0}']);
  });

  it('that a tool result links to are read from the server of that tool', async () => {
    const link = '{"content":[{"type":"resource_link","uri":"only:here"}]}';
    const [a, b] = [serverOf('a'), serverOf('b', { 'tools/call': () => link })];
    const client = new Client(a, b);
    client.put('a', []);
    client.put('b', ['t']);
    await client.call('b__t', {});
    expect(await client.textOf(READ, '{"uri":"only:here"}')).toContain('"from":"b"');
    expect(asked(a, READ)).toEqual([]);
  });

  it('that nobody lists are looked for among the running servers, in order', async () => {
    const refuse: FakeUpstreamOptions['on'] = {
      [READ]: (request) => {
        request.error(-32002, 'not here');
        return undefined;
      },
    };
    const [a, b, c] = [serverOf('a', refuse), serverOf('b'), serverOf('c', {}, { state: 'idle' })];
    const client = new Client(a, b, c);
    expect(await client.textOf(READ, '{"uri":"z:1"}')).toContain('"from":"b"');
    expect([asked(a, READ).length, c.starts]).toEqual([1, 0]);
    await client.textOf(READ, '{"uri":"z:1"}');
    expect([asked(a, READ).length, asked(b, READ).length]).toEqual([1, 2]);
  });

  it('that nobody has are not found', async () => {
    const client = new Client(new FakeUpstream('a'));
    expect(JSON.parse(await client.textOf(READ, '{"uri":"z:1"}'))).toMatchObject({
      code: -32002,
      data: { uri: 'z:1' },
    });
    for (const params of ['{}', '{"uri":7}', '[]']) {
      expect(JSON.parse(await client.textOf(READ, params))).toMatchObject({ code: -32602 });
    }
  });

  it('that are subscribed to are announced under the URI the client knows, and after that under the one it can read', async () => {
    const [a, b] = [serverOf('a'), serverOf('b')];
    const client = new Client(a, b);
    await client.hello();
    client.put('a', [], { resources: ['{"uri":"x:1"}'] });
    client.put('b', [], { resources: ['{"uri":"x:1"}'] });
    await client.ask('resources/subscribe', '{"uri":"toolsift:b:x:1"}');
    const update = async (upstream: FakeUpstream) => {
      upstream.server.peer.notify('notifications/resources/updated', '{"n":1.0,"uri":"x:1"}');
      await settled();
      return /"params":(.*)}$/.exec(
        client.notificationsOf('notifications/resources/updated').at(-1) ?? '',
      )?.[1];
    };
    expect(await update(b)).toBe('{"n":1.0,"uri":"toolsift:b:x:1"}');
    expect(await update(a)).toBe('{"n":1.0,"uri":"x:1"}');
    await client.ask('resources/unsubscribe', '{"uri":"toolsift:b:x:1"}');
    expect(asked(b, 'resources/unsubscribe')).toEqual(['{"uri":"x:1"}']);
    // What the client could read under the plain URI is the other server's.
    expect(await update(b)).toBe('{"n":1.0,"uri":"toolsift:b:x:1"}');
  });

  it('are subscribed to again when their server comes up anew', async () => {
    const [a, b] = [serverOf('a'), serverOf('b')];
    const client = new Client(a, b);
    client.put('a', [], { resources: ['{"uri":"x:1"}'] });
    await client.ask('resources/subscribe', '{"uri":"x:1"}');
    for (const upstream of [a, b]) {
      if (upstream.connection !== undefined)
        client.listener?.upstreamReady?.(upstream.name, upstream.connection);
    }
    await settled();
    expect([asked(a, 'resources/subscribe'), asked(b, 'resources/subscribe')]).toEqual([
      ['{"uri":"x:1"}', '{"uri":"x:1"}'],
      [],
    ]);
  });
});

describe('prompts and completions', () => {
  function open() {
    const [a, b] = [serverOf('a'), serverOf('b')];
    const client = new Client(a, b);
    client.put('a', [], { prompts: ['{"name":"p"}'], resourceTemplates: ['{"uriTemplate":"t:{x}"}'] });
    client.put('b', [], {
      prompts: ['{"name":"p"}', '{"name":"q"}'],
      resourceTemplates: ['{"uriTemplate":"t:{x}"}'],
    });
    return { a, b, client };
  }

  it('go to the server of the prompt, under the name it knows', async () => {
    const { a, b, client } = open();
    await client.ask('prompts/get', '{"name":"q","n":1.0}');
    await client.ask('prompts/get', '{"name":"a__p"}');
    await client.ask('completion/complete', '{"ref":{"type":"ref/prompt","name":"b__p"},"n":1.0}');
    expect(asked(a, 'prompts/get')).toEqual(['{"name":"p"}']);
    expect(asked(b, 'prompts/get')).toEqual(['{"name":"q","n":1.0}']);
    expect(asked(b, 'completion/complete')).toEqual(['{"ref":{"type":"ref/prompt","name":"p"},"n":1.0}']);
  });

  it('go to the server of the template', async () => {
    const { a, b, client } = open();
    await client.ask('completion/complete', '{"ref":{"type":"ref/resource","uri":"t:{x}"}}');
    await client.ask('completion/complete', '{"ref":{"type":"ref/resource","uri":"toolsift:b:t:{x}"}}');
    const params = '{"ref":{"type":"ref/resource","uri":"t:{x}"}}';
    expect([asked(a, 'completion/complete'), asked(b, 'completion/complete')]).toEqual([[params], [params]]);
  });

  it.each([
    ['prompts/get', '{"name":"p"}'],
    ['prompts/get', '{}'],
    ['completion/complete', '{"ref":{"name":"nope"}}'],
    ['completion/complete', '{"ref":{"uri":"nope:1"}}'],
    ['completion/complete', '{}'],
  ])('are refused by %s for %s, which nobody has', async (method, params) => {
    const { client } = open();
    expect(JSON.parse(await client.textOf(method, params))).toMatchObject({ code: -32602 });
  });

  it('say which server is down when it is', async () => {
    const client = new Client(serverOf('a', {}, { state: 'failed' }));
    client.put('a', [], { prompts: ['{"name":"p"}'] });
    expect(JSON.parse(await client.textOf('prompts/get', '{"name":"p"}'))).toMatchObject({
      code: -32603,
      message: expect.stringContaining('server "a"'),
      data: { server: 'a' },
    });
  });
});

describe('tasks', () => {
  it('stay with the server that had the id first, whoever names it later, and only that one tells of them', async () => {
    const start = () => '{"task":{"taskId":"t-1","status":"working"}}';
    const [good, evil] = [
      serverOf('good', { 'tools/call': start }, { has: ['tools', 'tasks'] }),
      serverOf('evil', { 'tools/call': start }, { has: ['tools', 'tasks'] }),
    ];
    const client = new Client(good, evil);
    await client.hello();
    client.put('good', ['slow']);
    client.put('evil', ['slow']);
    await client.ask('tools/call', '{"name":"good__slow","task":{}}');
    await client.ask('tools/call', '{"name":"evil__slow","task":{}}');
    expect(await client.textOf('tasks/get', '{"taskId":"t-1"}')).toContain('"from":"good"');
    expect(client.logged.filter((line) => line.includes('it stays with "good"'))).toHaveLength(1);
    const status = (state: string) => `{"taskId":"t-1","status":"${state}"}`;
    evil.server.peer.notify('notifications/tasks/status', status('failed'));
    good.server.peer.notify('notifications/tasks/status', status('completed'));
    await settled();
    const told = client.notificationsOf('notifications/tasks/status');
    expect(told).toEqual([expect.stringContaining('"completed"')]);
  });

  it('are asked for at the server that runs them', async () => {
    const start = () => '{"task":{"taskId":"t-1","status":"working"}}';
    const [a, b] = [serverOf('a'), serverOf('b', { 'tools/call': start })];
    const client = new Client(a, b);
    client.put('b', ['slow']);
    await client.ask('tools/call', '{"name":"b__slow","task":{}}');
    expect(await client.textOf('tasks/get', '{"taskId":"t-1","n":1.0}')).toContain('"from":"b"');
    expect(asked(b, 'tasks/get')).toEqual(['{"taskId":"t-1","n":1.0}']);
    expect(JSON.parse(await client.textOf('tasks/get', '{"taskId":"t-2"}'))).toMatchObject({ code: -32602 });
  });

  it('are listed of all running servers that have any', async () => {
    const listed = (id: string) => ({ 'tasks/list': () => `{"tasks":[{"taskId":"${id}","n":1.0}]}` });
    const refuse = { 'tasks/list': () => 'null' };
    const client = new Client(
      serverOf('a', listed('1'), { has: ['tasks'] }),
      serverOf('b', listed('2')),
      serverOf('c', refuse, { has: ['tasks'] }),
      serverOf('d', listed('4'), { has: ['tasks'] }),
    );
    expect(await client.textOf('tasks/list')).toBe(
      '{"tasks":[{"taskId":"1","n":1.0},{"taskId":"4","n":1.0}]}',
    );
  });
});
