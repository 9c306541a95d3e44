// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are the subject
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsift-load-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function load(content: string | Buffer | object, env: Record<string, string> = {}) {
  const isText = typeof content === 'string' || Buffer.isBuffer(content);
  await writeFile(join(folder, 'toolsift.json'), isText ? content : JSON.stringify(content));
  return loadConfig({ env, cwd: folder });
}

async function failure(content: string | Buffer | object): Promise<string> {
  const error: unknown = await load(content).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'ToolsiftError', code: 'config_invalid' });
  return (error as Error).message.replaceAll(folder, '');
}

async function server(entry: unknown, env: Record<string, string> = {}) {
  const { servers } = await load({ servers: { it: entry } }, env);
  return servers.get('it');
}

async function fault(entry: unknown, env: Record<string, string> = {}): Promise<string> {
  const config = await server(entry, env);
  return config?.kind === 'faulty' ? config.reason : `not faulty: ${config?.kind}`;
}

const RUN_DEFAULTS = {
  start: 'on-demand',
  refreshAfterMs: 24 * 3_600_000,
  maxListBytes: 67_108_864,
  maxListItems: 100_000,
  isShared: false,
  isPerSession: false,
  keepsLog: false,
};

describe('a file', () => {
  test('fills in every default', async () => {
    expect(await load('{}')).toEqual({
      file: join(folder, 'toolsift.json'),
      foundBy: 'the working directory',
      servers: new Map(),
      pinned: [],
      topK: 5,
      maxMessageBytes: 256 * 1024 * 1024,
      pinnedWaitMs: 2500,
      search: { mode: 'learned', maxTokens: 4000 },
      warnings: [],
    });
  });

  test('says what it says', async () => {
    const config = await load({
      $schema: 'x',
      pinned: ['a', 's/b'],
      topK: 50,
      maxMessageBytes: 5000,
      pinnedWaitSeconds: 0.25,
      search: { mode: 'lexical', semantic: 'off', maxTokens: 900 },
    });
    expect(config).toMatchObject({
      pinned: ['a', 's/b'],
      topK: 50,
      maxMessageBytes: 5000,
      pinnedWaitMs: 250,
      search: { mode: 'lexical', semantic: 'off', maxTokens: 900 },
    });
  });

  test('may have comments, trailing commas, a byte order mark and Windows line breaks', async () => {
    const { servers } = await load(
      '\uFEFF// mine\r\n{\r\n  "servers": { /* one */ "a": { "command": "x", }, },\r\n}\r\n',
    );
    expect([...servers.keys()]).toEqual(['a']);
  });

  test('is read the same whether it has comments or not, for any keys and values', async () => {
    const key = fc.oneof(fc.string(), fc.constantFrom('constructor', 'a":', '\\', 'x": {"y'));
    const env = fc.dictionary(
      key.filter((any) => any !== '' && !/[=\0$]/.test(any)),
      key.filter((any) => !/[\0{$]/.test(any)),
    );
    await fc.assert(
      fc.asyncProperty(env, async (variables) => {
        const plain = JSON.stringify({ servers: { a: { command: 'x', env: variables } } });
        const [one, other] = [await load(plain), await load(`// mine\n${plain}`)];
        expect(one).toEqual(other);
        expect(one.servers.get('a')).toMatchObject({ kind: 'stdio', env: variables });
      }),
      { numRuns: 60 },
    );
  });

  test('may spell "servers" as "mcpServers", or have both', async () => {
    const { servers } = await load({ mcpServers: { a: { command: 'x' } }, servers: { b: { command: 'y' } } });
    expect([...servers.keys()]).toEqual(['b', 'a']);
  });

  test('may be pasted from VS Code, with its inputs', async () => {
    const { servers, warnings } = await load({
      inputs: [{ id: 'key', type: 'promptString' }],
      servers: { a: { type: 'stdio', command: 'x', env: { KEY: '${input:key}' } } },
    });
    expect(servers.get('a')).toMatchObject({
      kind: 'faulty',
      reason: expect.stringContaining('use an environment variable'),
    });
    expect(warnings).toEqual([]);
  });

  test('may be a bare map of servers, with keys of ours beside them', async () => {
    const { servers, topK } = await load({ topK: 9, a: { command: 'x' }, 'b/c': { serverUrl: 'https://x' } });
    expect([...servers].map(([name, { kind }]) => [name, kind])).toEqual([
      ['a', 'stdio'],
      ['b/c', 'http'],
    ]);
    expect(topK).toBe(9);
  });

  test('may be the whole file of another client, whose other keys are told and ignored', async () => {
    const { servers, warnings } = await load({
      theme: 'dark',
      mcpServers: { a: { command: 'x' }, _comment: 'no server', '//old': 'off', _spare: { command: 'y' } },
      _comment: 'mine',
      servers: null,
    });
    expect([...servers.keys()]).toEqual(['a', '_spare']);
    expect(warnings).toEqual(['"theme" is ignored: it is no key toolsift knows']);
  });

  test('tells line and column of what is not JSON', async () => {
    expect(await failure('{\n  "servers": {\n    "a" {}\n  }\n}')).toBe(
      '/toolsift.json is not valid JSON: line 3, column 9: a colon is expected',
    );
    expect(await failure('{"servers": {"a": {"command": "C:\\qx"}}}')).toMatch(
      /a backslash in text is written \\\\/,
    );
  });

  test.each(['[', '{"a":', '// mine\n{"a":', '{"servers": {"a": {"args": ['])(
    'that is nested 100,000 deep by %j is told so',
    async (opening) => {
      expect(await failure(opening.repeat(100_000))).toMatch(/is nested more than 100 levels deep/);
    },
  );

  test('is told to be empty, no object, UTF-16 or a folder', async () => {
    expect(await failure('')).toBe('/toolsift.json is empty; it must be an object, {"servers": …}');
    expect(await failure('// nothing')).toMatch(/is empty/);
    expect(await failure('[]')).toBe(
      '/toolsift.json cannot be used: the file must be an object, {"servers": …}',
    );
    expect(await failure(Buffer.from('\uFEFF{}', 'utf16le'))).toBe(
      '/toolsift.json is UTF-16 text; save it as UTF-8',
    );
    await expect(loadConfig({ flag: folder })).rejects.toThrow(/cannot read .*: it is a folder/);
  });

  test('lists all its problems at once, in the order of the file, with the right key for a wrong one', async () => {
    expect(
      await failure(`{
        "topk": 3,
        "topK": 51,
        "servers": {
          "a": { "command": "x" },
          "": { "command": "x" },
          "__proto__": { "command": "x" }
        },
        "mcpServers": { "a": { "command": "x" } },
        "pinned": ["x", 3, ""],
        "search": { "mod": "full", "mode": "fast" },
        "context_servers": {},
        "github": { "command": "x" }
      }`),
    ).toBe(`/toolsift.json cannot be used:
  line 2, "topk" is no key toolsift knows; did you mean "topK"?
  line 3, "topK" must be a whole number from 1 to 50
  line 6, "servers." must not be empty: give the server a name
  line 7, "servers.__proto__" is no usable name; rename the server
  line 9, "mcpServers.a" is in "servers" too; keep one of them
  line 10, "pinned[1]" must be text in double quotes
  line 10, "pinned[2]" must not be empty
  line 11, "search.mod" is no key toolsift knows; did you mean "mode"?
  line 11, "search.mode" must be one of "learned", "lexical", "words"
  line 12, "context_servers" is no key toolsift knows; did you mean "servers"?
  line 13, "github" is no key toolsift knows; an entry of a server stands inside "servers"`);
  });

  test.each([
    [{ servers: [] }, '"servers" must be an object of servers'],
    [{ mcpServers: 'abc' }, '"mcpServers" must be an object of servers'],
    [{ topK: '5' }, '"topK" must be a whole number from 1 to 50'],
    [{ topK: 1.5 }, '"topK" must be a whole number from 1 to 50'],
    [{ pinnedWaitSeconds: 6 }, '"pinnedWaitSeconds" must be a number from 0 to 5'],
    [{ maxMessageBytes: 0 }, '"maxMessageBytes" must be a whole number from 1024 to'],
    [{ search: 'full' }, '"search" must be an object'],
    [{ search: { semantic: 'full' } }, '"search.semantic" must be one of "static", "off"'],
    [{ pinned: 'x' }, '"pinned" must be a list of tool names'],
    [{ frobnicate: 1 }, 'the file has no "servers"; known keys are $schema, servers,'],
    [{ frobnicate: 1 }, 'line 1, "frobnicate" is no key toolsift knows'],
    [JSON.parse('{"__proto__": {}}'), '"__proto__" is no key toolsift knows'],
    ['{"servers": {"a": {}, "a": {}}}', '"servers.a" stands here twice; keep one'],
    [
      '{"servers": {"a": {"command": "x", "env": {"K": "1", "K": "2"}}}}',
      '"servers.a.env.K" stands here twice',
    ],
  ])('refuses %j', async (content, message) => {
    expect(await failure(content)).toContain(message);
  });

  test('has a thousand servers at most', async () => {
    const servers = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`s${at}`, {}]));
    expect(await failure({ servers })).toContain(
      'the file has 1001 servers, and toolsift stands in for 1000 at most',
    );
  });
});

describe('an entry of a local server', () => {
  test('says what to run, with variables filled in everywhere', async () => {
    const entry = {
      type: 'stdio',
      command: '${BIN}',
      args: ['${A}', '$A', '', 'ü"\\'],
      env: { K: '${A}', EMPTY: '' },
      cwd: 'x/${A}',
      timeoutSeconds: 1.5,
      maxTimeoutSeconds: 60,
      toolTimeouts: { slow: 30, constructor: 1 },
    };
    expect(await server(entry, { BIN: 'npx', A: 'a' })).toEqual({
      kind: 'stdio',
      name: 'it',
      ...RUN_DEFAULTS,
      command: 'npx',
      args: ['a', '$A', '', 'ü"\\'],
      env: { K: 'a', EMPTY: '' },
      cwd: join(folder, 'x', 'a'),
      place: join(folder, 'x', 'a'),
      fromVariables: [
        { name: 'BIN', value: 'npx' },
        { name: 'A', value: 'a' },
      ],
      timeoutMs: 1500,
      maxTimeoutMs: 60_000,
      toolTimeoutsMs: new Map([
        ['slow', 30_000],
        ['constructor', 1000],
      ]),
    });
  });

  test('runs where toolsift runs unless "cwd" says otherwise; ~ is the home folder', async () => {
    await mkdir(join(folder, 'conf'));
    await writeFile(
      join(folder, 'conf', 'toolsift.json'),
      JSON.stringify({
        servers: { a: { command: 'x' }, b: { command: 'x', cwd: '.' }, c: { command: 'x', cwd: '~/c' } },
      }),
    );
    const { servers } = await loadConfig({ flag: 'conf/toolsift.json', env: {}, cwd: folder });
    const cwds = [...servers.values()].map((config) => config.kind === 'stdio' && config.cwd);
    expect(cwds).toEqual([folder, join(folder, 'conf'), join(homedir(), 'c')]);
  });

  test('may name its command as a list', async () => {
    expect(await server({ type: 'local', command: ['npx', '-y'], args: ['x'] })).toMatchObject({
      command: 'npx',
      args: ['-y', 'x'],
    });
  });

  test('may have the names of things every object has', async () => {
    const { servers } = await load({ servers: { constructor: { command: 'x', env: { toString: 'y' } } } });
    expect(servers.get('constructor')).toMatchObject({ kind: 'stdio', env: { toString: 'y' } });
  });
});

describe('how servers are run', () => {
  test('is said by the file for all, and by an entry for its server', async () => {
    const { servers } = await load({
      start: 'eager',
      idleStopSeconds: 90,
      refreshAfterHours: 0.5,
      maxListBytes: 2048,
      maxListItems: 7,
      share: true,
      perSession: true,
      log: true,
      servers: {
        a: { command: 'x' },
        b: {
          command: 'x',
          start: 'on-demand',
          idleStopSeconds: 1,
          refreshAfterHours: 48,
          maxListBytes: 4096,
          share: false,
          perSession: false,
          log: false,
        },
      },
    });
    const shared = {
      start: 'eager',
      idleStopMs: 90_000,
      refreshAfterMs: 1_800_000,
      maxListBytes: 2048,
      maxListItems: 7,
      isShared: true,
      isPerSession: true,
      keepsLog: true,
    };
    expect(servers.get('a')).toMatchObject(shared);
    expect(servers.get('b')).toMatchObject({
      start: 'on-demand',
      idleStopMs: 1000,
      refreshAfterMs: 48 * 3_600_000,
      maxListBytes: 4096,
      maxListItems: 7,
      isShared: false,
      isPerSession: false,
      keepsLog: false,
    });
  });
});

describe('an entry of a remote server', () => {
  test.each([
    [undefined, 'auto'],
    ['remote', 'auto'],
    ['http', 'http'],
    ['streamable-http', 'http'],
    ['streamableHttp', 'http'],
    ['streamable_http', 'http'],
    ['sse', 'sse'],
  ])('of type %s has the transport %s', async (type, transport) => {
    const entry = { type, url: 'https://${HOST}/mcp', headers: { Authorization: 'Bearer ${KEY}' } };
    expect(await server(entry, { HOST: 'h', KEY: 'k' })).toEqual({
      kind: 'http',
      name: 'it',
      ...RUN_DEFAULTS,
      transport,
      url: 'https://h/mcp',
      headers: { Authorization: 'Bearer k' },
      fromVariables: [
        { name: 'HOST', value: 'h' },
        { name: 'KEY', value: 'k' },
      ],
    });
  });
});

describe('a fault of one server', () => {
  test.each([
    [7, 'the entry must be an object'],
    [null, 'the entry must be an object'],
    [[], 'the entry must be an object'],
    [{}, 'the entry has neither "command" nor "url"'],
    [{ command: '' }, '"command" is empty'],
    [{ command: [] }, '"command" is empty'],
    [{ command: '${NONE:-}' }, '"command" is empty'],
    [{ command: 3 }, '"command" must be text, or a list'],
    [{ command: 'x', args: 'y' }, '"args" must be a list of texts'],
    [{ command: 'x', args: [1] }, '"args[0]" must be text in double quotes'],
    [{ command: 'x', args: ['a\0'] }, '"args[0]" has a NUL character'],
    [{ command: 'x', env: { PORT: [3000] } }, '"env.PORT" must be text in double quotes (line 1)'],
    [{ comand: 'x' }, '"comand" is no key toolsift knows; did you mean "command"? (line 1)'],
    [{ url: 'https://x', server_url: 'x' }, '"server_url" is no key toolsift knows; did you mean "url"?'],
    [{ url: 'https://x', bearerTokenEnv: 3 }, '"bearerTokenEnv" must be the name of a variable'],
    [{ url: 'https://x', env_http_headers: { A: {} } }, '"env_http_headers" must be an object of names'],
    [{ cmd: 3 }, '"cmd" must be text, or a list'],
    [{ command: 'npx -y x' }, '"command" has arguments in it'],
    [{ command: 'x', env: { 'A=B': 'c' } }, '"env.A=B" is no name for a variable'],
    [{ command: 'x', env: 'A=b' }, '"env" must be an object of texts'],
    [{ command: 'x', env: { T: '${NONE}' } }, 'variable NONE in "env.T" is not set'],
    [{ command: 'x', args: ['a', '{env:NONE}'] }, 'variable NONE in "args[1]" is not set'],
    [{ command: 'x', cwd: '${NONE}' }, 'variable NONE in "cwd" is not set'],
    [{ url: 'https://${NONE}' }, 'variable NONE in "url" is not set'],
    [{ url: 'https://x', headers: { K: '${NONE}' } }, 'variable NONE in "headers.K" is not set'],
    [{ command: 'x', url: 'https://x' }, 'has both "command" and "url"'],
    [{ type: 'http', command: 'x' }, '"type" is "http", which needs "url"'],
    [{ type: 'stdio', url: 'https://x' }, '"type" is "stdio", which needs "command"'],
    [{ type: 'carrier-pigeon', url: 'https://x' }, '"type" must be "stdio", "http" or "sse"'],
    [{ url: 'ftp://x' }, '"url" is no http:// or https:// address'],
    [{ url: 'example.com/mcp' }, '"url" is no http:// or https:// address'],
    [{ url: 'https://x', headers: { 'a b': 'x' } }, '"headers.a b" is no name for an HTTP header'],
    [{ url: 'https://x', headers: { A: 'x\ny' } }, '"headers.A" has a line break'],
    [{ command: 'x', timeoutSeconds: 0 }, '"timeoutSeconds" must be a number of seconds above 0'],
    [
      { command: 'x', timeoutSeconds: 9, maxTimeoutSeconds: 3 },
      '"maxTimeoutSeconds" is below "timeoutSeconds"',
    ],
    [{ command: 'x', toolTimeouts: { t: '5' } }, '"toolTimeouts.t" must be a number of seconds'],
    [{ command: 'x', disabled: 'yes' }, '"disabled" must be true or false'],
    [{ command: 'x', enabled: 'yes' }, '"enabled" must be true or false'],
    [{ url: 'https://x', serverUrl: 'https://y' }, '"url" and "serverUrl" disagree; keep "url"'],
  ])('is told of %j', async (entry, reason) => {
    expect(await fault(entry)).toContain(reason);
  });

  test('leaves the other servers alone', async () => {
    const { servers } = await load({ servers: { bad: { command: 5 }, good: { command: 'x' } } });
    expect([...servers.values()].map(({ kind }) => kind)).toEqual(['faulty', 'stdio']);
  });

  test('names all that is wrong', async () => {
    expect(await fault({ command: '${A}', args: ['${B}'] })).toMatch(
      /A in "command".*; variable B in "args\[0\]"/,
    );
  });

  test('never shows a value, since any may be a secret', async () => {
    const secret = 'hunter2';
    const entries = [
      { command: 'x', args: [secret, 1], env: { A: secret, B: 1 } },
      { command: 'x', args: ['${NONE}', secret], env: { A: `${secret}\0` } },
      { url: `https://me:${secret}@x:99999/?key=${secret}`, headers: { A: `${secret}\n` } },
      { url: `nonsense ${secret}`, headers: { A: secret } },
      { url: 'https://a', command: 'x', type: secret },
      { url: 'https://a', bearerTokenEnv: secret },
      { url: 'https://a', env_http_headers: { 'X-Key': secret } },
      { url: 'https://a', uri: `https://${secret}`, auth: secret, timeout: secret },
    ];
    for (const entry of entries) {
      const config = await load({ servers: { it: entry } });
      expect(config.servers.get('it')?.kind).toBe('faulty');
      expect(JSON.stringify([...config.servers, config.warnings])).not.toContain(secret);
    }
  });

  test('does not count while the server is switched off', async () => {
    expect(await server({ command: '${NONE}', args: 3, disabled: true })).toEqual({
      kind: 'disabled',
      name: 'it',
      ...RUN_DEFAULTS,
    });
    expect(await server({ enabled: false })).toEqual({ kind: 'disabled', name: 'it', ...RUN_DEFAULTS });
    expect(await server({ command: 'x', enabled: true })).toMatchObject({ kind: 'stdio' });
  });
});
