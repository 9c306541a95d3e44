import { describe, expect, it } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { at, type Json, jsonOf, textOf } from '../helpers/message.ts';
import { errorText, resultText } from '../helpers/raw-client.ts';
import { memberText, textAt } from '../helpers/raw-json.ts';
import { sharedToolsift, startToolsift } from '../helpers/toolsift.ts';
import { waitFor } from '../helpers/wait-for.ts';

const INITIALIZE_PARAMS =
  '{"protocolVersion":"2025-06-18","capabilities":{"roots":{"listChanged":true},"sampling":{"tools":{}},' +
  '"elicitation":{"form":{},"url":{}},"experimental":{"x":{"n":1.0}},"x-cap":[1.0]},' +
  '"clientInfo":{"name":"odd","version":"9","title":"Odd","icons":[],"x":1.0}}';

const toolsift = sharedToolsift({
  servers: { one: fixture('asks-client'), two: fixture('asks-client') },
  capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: { form: {}, url: {} } },
});
const PARAMS = '{"mode":"url","n":1.0,"big":9007199254740993,"a":1,"a":2,"s":"\\u0041\\/"}';

describe('what a server asks of the client', () => {
  it.each(['sampling/createMessage', 'elicitation/create', 'roots/list', 'vendor.example/ask'])(
    '%s crosses unchanged, and so does the answer',
    async (method) => {
      const answerText = '{"action":"accept","n":1.0,"big":9007199254740993,"content":{"b":1,"a":2}}';
      toolsift().client.handle(method, () => `"result":${answerText}`);
      const raw = textOf(await toolsift().invoke('one', 'ask', { method, params: PARAMS }));
      expect(memberText(raw, 'result')).toBe(answerText);
      const request = toolsift().client.requests.findLast((message) => message.method === method);
      expect(textAt(request?.line ?? '', 'params')).toBe(PARAMS);
    },
  );

  it('is refused in the words of the client', async () => {
    const refusal = '{"code":-1,"message":"User rejected","data":{"n":1.0}}';
    toolsift().client.handle('sampling/createMessage', () => `"error":${refusal}`);
    const args = { method: 'sampling/createMessage', params: '{}' };
    expect(memberText(textOf(await toolsift().invoke('one', 'ask', args)), 'error')).toBe(refusal);
    toolsift().client.handle('vendor.example/unknown', () => errorText(-32601, 'Method not found'));
    const unknown = await toolsift().invoke('one', 'ask', { method: 'vendor.example/unknown', params: '{}' });
    expect(memberText(textOf(unknown), 'error')).toBe('{"code":-32601,"message":"Method not found"}');
  });

  it('may be many things at once from several servers that use the same ids', async () => {
    const { client } = toolsift();
    client.handle('sampling/createMessage', (message) =>
      resultText({ seen: at(message.params, 'number') ?? null }),
    );
    const before = client.requests.length;
    const args = { method: 'sampling/createMessage', times: 10 };
    const answers = await Promise.all(
      ['one', 'two'].map((server) => toolsift().invoke(server, 'ask_many', args)),
    );
    for (const answer of answers) {
      const lines = jsonOf(answer);
      const seen = Array.isArray(lines)
        ? lines.map((line) => at(JSON.parse(String(line)) as Json, 'result', 'seen'))
        : [];
      expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }
    const ids = client.requests.slice(before).map((message) => message.id);
    expect(new Set(ids).size).toBe(20);
  });

  it.each(['0', '""', '"a"', '-1', '9007199254740993'])('with id %s is answered with that id', async (id) => {
    toolsift().client.handle('vendor.example/ask', () => '"result":{}');
    const raw = textOf(await toolsift().invoke('one', 'ask', { method: 'vendor.example/ask', id }));
    expect(memberText(raw, 'id')).toBe(id);
  });

  it('can be withdrawn, and the client hears of it by the id it knows', async () => {
    const { client } = toolsift();
    client.handle('vendor.example/slow', () => new Promise(() => {}));
    const reason = 'changed its mind';
    await toolsift().invoke('one', 'ask_and_cancel', { method: 'vendor.example/slow', reason });
    const notice = await client.notified('notifications/cancelled');
    const request = client.requests.find((message) => message.method === 'vendor.example/slow');
    expect(notice.params).toMatchObject({ requestId: request?.id, reason });
  });

  it('gets progress of the client under the token the server chose', async () => {
    const { client } = toolsift();
    client.handle('sampling/createMessage', (message) => {
      const progressToken = at(message.params, '_meta', 'progressToken') ?? null;
      client.notify('notifications/progress', { progressToken, progress: 1 });
      return '"result":{}';
    });
    for (const server of ['one', 'two']) {
      const args = { method: 'sampling/createMessage', params: '{"_meta":{"progressToken":5}}' };
      await toolsift().invoke(server, 'ask', args);
      const progress = toolsift().received(server, 'notifications/progress');
      expect(progress.map((message) => message.params)).toEqual([{ progressToken: 5, progress: 1 }]);
    }
  });

  it.each([
    ['notifications/elicitation/complete', '{"elicitationId":"e-1","x":1.0}'],
    ['notifications/vendor.example/news', '{"n":1.0,"a":1,"a":2}'],
  ])('includes %s, as it was written', async (method, params) => {
    await toolsift().invoke('one', 'notify', { method, params });
    const notice = await toolsift().client.notified(method);
    expect(textAt(notice.line, 'params')).toBe(params);
  });

  it('includes log messages, their data as it was written', async () => {
    const params = '{"data":{"n":1.0,"big":9007199254740993},"level":"error"}';
    await toolsift().invoke('one', 'notify', { method: 'notifications/message', params });
    const notice = await toolsift().client.notified('notifications/message');
    expect(textAt(notice.line, 'params', 'data')).toBe('{"n":1.0,"big":9007199254740993}');
  });

  it('can be a login by URL, told by an error that passes as it is', async () => {
    const answer = await toolsift().invoke('one', 'need_login');
    expect(answer.error).toMatchObject({
      code: -32042,
      message: 'Log in first',
      data: { elicitations: [{ elicitationId: 'e-1', extra: [1, null] }], more: { kept: true } },
    });
  });

  it('is answered -32601 without asking when the client did not declare it', async () => {
    const bare = await startToolsift({ servers: { one: fixture('asks-client') }, capabilities: {} });
    for (const method of ['sampling/createMessage', 'elicitation/create', 'roots/list']) {
      const raw = textOf(await bare.invoke('one', 'ask', { method, params: '{}' }));
      expect(at(JSON.parse(raw) as Json, 'error', 'code'), method).toBe(-32601);
    }
    expect(bare.client.requests).toEqual([]);
  });
});

describe('what a server learns of the client', () => {
  it('is exactly what the client said of itself', async () => {
    const fresh = await startToolsift({ servers: { echo: fixture('echo') }, initializes: false });
    const { client } = fresh;
    await client.askLine(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":${INITIALIZE_PARAMS}}`, 0);
    client.notify('notifications/initialized');
    await fresh.listed('echo');
    const line = textOf(await fresh.invoke('echo', 'show_initialize'));
    expect(textAt(line, 'params')).toBe(INITIALIZE_PARAMS);
  });

  it('begins with the hello of the client: no server starts before', async () => {
    const fresh = await startToolsift({ servers: { echo: fixture('echo') }, initializes: false });
    expect((await fresh.client.ask('ping')).result).toEqual({});
    expect(fresh.pids).toEqual([]);
    await fresh.client.initialize();
    await fresh.listed('echo');
    expect(fresh.pids).toHaveLength(1);
  });

  it('includes that its roots changed', async () => {
    toolsift().client.handle('roots/list', () => resultText({ roots: [] }));
    for (const server of ['one', 'two']) await toolsift().invoke(server, 'ask', { method: 'roots/list' });
    toolsift().client.notify('notifications/roots/list_changed');
    for (const server of ['one', 'two']) {
      await waitFor(
        `${server} hears of it`,
        async () => textOf(await toolsift().invoke(server, 'show_roots_changed')) === '1',
      );
    }
  });
});
