import { describe, expect, it } from 'vitest';
import { fixture } from '../helpers/fixture.ts';
import { type Json, type Message, textOf } from '../helpers/message.ts';
import { memberText, textAt } from '../helpers/raw-json.ts';
import { sharedToolsift } from '../helpers/toolsift.ts';

const toolsift = sharedToolsift({ servers: { echo: fixture('echo') }, pinned: ['echo/show_request'] });

/** Sends a `tools/call` with params of literal text; answers with the request line that reached the server. */
async function lineUpstreamGot(paramsText: string): Promise<string> {
  const { client } = toolsift();
  const id = client.nextId();
  const answer = await client.askLine(
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${paramsText}}`,
    id,
  );
  return textOf(answer);
}

const invoking = (args: string) =>
  `{"name":"invoke_tool","arguments":{"server":"echo","name":"show_request","arguments":${args}}}`;
const ways: Record<string, (args: string) => string> = {
  'through invoke_tool': invoking,
  'by server__name': (args) => `{"name":"echo__show_request","arguments":${args}}`,
  'as a pinned tool': (args) => `{"name":"show_request","arguments":${args}}`,
};

const R = String.raw;
const spellings: Record<string, string> = {
  'big integers': '{"id":9007199254740993,"neg":-12345678901234567890}',
  'odd number spellings': '{"a":1.0,"b":1e400,"c":-0,"d":1E+2,"e":0.10}',
  'the order of digit-like keys': '{"10":1,"2":2,"x":3,"1":4}',
  'duplicate keys': '{"a":1,"b":2,"a":3}',
  'keys that are words of the protocol':
    '{"arguments":{"name":"x"},"server":1,"_meta":{"progressToken":5},"id":9}',
  'prototype keys': '{"__proto__":{"a":1},"constructor":2}',
  escapes: R`{"a":"\/\u0041\ud83d\ude00\ud800","\u0062":"\"}]\\"}`,
  'raw unicode': '{"a":"\u2028😀日本"}',
  'white space': '{ "a" : [ 1 , 2 ] ,\t"b" : { } }',
  'an empty object': '{}',
  'deep nesting': `{"a":${'['.repeat(1_000)}1.0${']'.repeat(1_000)}}`,
};

for (const [way, params] of Object.entries(ways)) {
  describe(`arguments sent ${way} reach the server as the text the client wrote`, () => {
    it.each(Object.entries(spellings))('%s', async (_, args) => {
      const line = await lineUpstreamGot(params(args));
      expect(textAt(line, 'params', 'arguments')).toBe(args);
      expect(textAt(line, 'params', 'name')).toBe('"show_request"');
    });
  });
}

describe('the rest of a call', () => {
  it('may come in any order and with any white space', async () => {
    const args = '{"n":1.0}';
    for (const params of [
      `{"arguments":{"arguments":${args},"name":"show_request","server":"echo"},"name":"invoke_tool"}`,
      `{ "arguments" : { "name" : "show_request" , "arguments" : ${args} , "server" : "echo" } , "name" : "invoke_tool" }`,
      `{"_meta":{"x":1},"name":"invoke_tool","arguments":{"server":"echo","arguments":${args},"name":"show_request"}}`,
      `{"name":"${R`\u0069`}nvoke_tool","${R`\u0061`}rguments":{"server":"echo","name":"show_request","arguments":${args}}}`,
    ]) {
      expect(textAt(await lineUpstreamGot(params), 'params', 'arguments'), params).toBe(args);
    }
  });

  it.each<[string, (id: number, params: string) => string]>([
    ['the id last', (id, params) => `{"jsonrpc":"2.0","method":"tools/call","params":${params},"id":${id}}`],
    [
      'the params first',
      (id, params) => `{"params":${params},"method":"tools/call","id":${id},"jsonrpc":"2.0"}`,
    ],
    [
      'white space',
      (id, params) => ` { "jsonrpc" : "2.0" , "id" : ${id} ,"method":"tools/call", "params" : ${params} } `,
    ],
    [
      'a CRLF line end',
      (id, params) => `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}\r`,
    ],
    [
      'a byte order mark',
      (id, params) => `\ufeff{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`,
    ],
    [
      'unknown members',
      (id, params) =>
        `{"x":{"id":1},"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params},"y":[1.0]}`,
    ],
    [
      'escaped keys',
      (id, params) => `${R`{"json\u0072pc":"2.0","i\u0064":`}${id},"method":"tools/call","params":${params}}`,
    ],
  ])('may come in an envelope with %s', async (_, envelope) => {
    const { client } = toolsift();
    for (const params of Object.values(ways)) {
      const id = client.nextId();
      const answer = await client.askLine(envelope(id, params('{"n":1.0,"id":9}')), id);
      expect(textAt(textOf(answer), 'params', 'arguments')).toBe('{"n":1.0,"id":9}');
    }
  });

  it('counts omitted and null arguments of invoke_tool as none', async () => {
    for (const params of [
      '{"name":"invoke_tool","arguments":{"server":"echo","name":"show_request"}}',
      invoking('null'),
    ]) {
      expect(textAt(await lineUpstreamGot(params), 'params', 'arguments'), params).toBe('{}');
    }
  });

  it('parses arguments that come as a JSON string once, and keeps the text inside', async () => {
    const line = await lineUpstreamGot(invoking(R`"{\"id\":9007199254740993,\"f\":1.0}"`));
    expect(textAt(line, 'params', 'arguments')).toBe('{"id":9007199254740993,"f":1.0}');
  });

  it.each(['[1]', '7', 'true', '"not json"', '"[1]"', R`"\"{}\""`])(
    'refuses %s as arguments before it reaches the server',
    async (args) => {
      const before = toolsift().received('echo', 'tools/call').length;
      const { client } = toolsift();
      const id = client.nextId();
      const answer = await client.askLine(
        `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${invoking(args)}}`,
        id,
      );
      expect(textOf(answer)).toContain('arguments');
      expect(answer.result).toMatchObject({ isError: true });
      expect(toolsift().received('echo', 'tools/call')).toHaveLength(before);
    },
  );

  it('passes _meta on as it was written', async () => {
    const meta = '{"example.com/trace":{"n":1.0,"big":9007199254740993},"b":1,"a":2}';
    for (const params of Object.values(ways)) {
      const withMeta = params('{}').replace(/\}$/, `,"_meta":${meta}}`);
      expect(textAt(await lineUpstreamGot(withMeta), 'params', '_meta')).toBe(meta);
    }
  });

  it('gives the members of _meta beside a progress token on as they were', async () => {
    const meta = '{"first":1.0,"progressToken":"mine","last":[9007199254740993]}';
    const line = await lineUpstreamGot(invoking('{}').replace(/\}$/, `,"_meta":${meta}}`));
    const got = textAt(line, 'params', '_meta') ?? '';
    expect(memberText(got, 'first')).toBe('1.0');
    expect(memberText(got, 'last')).toBe('[9007199254740993]');
    expect(memberText(got, 'progressToken')).toBeDefined();
  });

  it('passes members of params that are not known on', async () => {
    const line = await lineUpstreamGot('{"name":"echo__show_request","arguments":{},"x-new":{"n":1.0}}');
    expect(textAt(line, 'params', 'x-new')).toBe('{"n":1.0}');
  });
});

describe('ids', () => {
  const ids: [string, Json][] = [
    ['0', 0],
    ['""', ''],
    ['"0"', '0'],
    ['-7', -7],
    ['"a \\" quote"', 'a " quote'],
    ['9007199254740993', 9007199254740992],
    ['"\u2028😀"', '\u2028😀'],
    ['123456789012', 123456789012],
  ];
  const asking: Record<string, string> = {
    invoke_tool: invoking('{}'),
    'a pinned tool': '{"name":"show_request","arguments":{}}',
    list_servers: '{"name":"list_servers","arguments":{}}',
  };

  for (const [what, params] of Object.entries(asking)) {
    it.each(ids)(`%s comes back as it was from ${what}`, async (idText, id) => {
      const line = `{"jsonrpc":"2.0","id":${idText},"method":"tools/call","params":${params}}`;
      const answer: Message = await toolsift().client.askLine(line, id);
      expect(memberText(answer.line, 'id')).toBe(idText);
    });
  }
});
