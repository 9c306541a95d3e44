// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are the subject
import { describe, expect, test } from 'vitest';
import { readEntry } from '../../../src/config/entry/read-entry.ts';
import { checkEntry } from '../../../src/config/schema/check.ts';

const place = { folder: '/conf', cwd: '/work', env: { TOKEN: 't' }, check: checkEntry };
const read = (entry: object) => readEntry('it', entry, place);

describe('a block pasted from another client', () => {
  test.each([
    [
      'Claude Code',
      { type: 'http', url: 'https://x/mcp', headers: { A: 'b' } },
      { kind: 'http', transport: 'http', headers: { A: 'b' } },
    ],
    [
      'Claude Desktop',
      { command: 'npx', args: ['-y', 'x'], env: { A: 'b' } },
      { kind: 'stdio', args: ['-y', 'x'] },
    ],
    [
      'Cursor',
      { type: 'stdio', command: 'x', env: { A: '${env:TOKEN}' } },
      { kind: 'stdio', env: { A: 't' } },
    ],
    [
      'VS Code',
      { type: 'sse', url: 'https://x', gallery: true, dev: {} },
      { kind: 'http', transport: 'sse' },
    ],
    [
      'Windsurf',
      { serverUrl: 'https://x', disabledTools: [] },
      { kind: 'http', transport: 'auto', url: 'https://x' },
    ],
    ['Cline', { command: 'x', autoApprove: ['a'], alwaysAllow: ['b'], disabled: false }, { kind: 'stdio' }],
    [
      'Gemini CLI',
      { httpUrl: 'https://x', trust: true, description: 'd' },
      { kind: 'http', transport: 'http' },
    ],
    ['Codex', { command: 'x', tool_timeout_sec: 60, env_vars: ['A'] }, { kind: 'stdio', timeoutMs: 60_000 }],
    ['Codex, remote', { url: 'https://x', http_headers: { A: 'b' } }, { kind: 'http', headers: { A: 'b' } }],
    [
      'opencode',
      { type: 'local', command: ['x', 'y'], environment: { A: '{env:TOKEN}' }, enabled: true },
      { kind: 'stdio', command: 'x', args: ['y'], env: { A: 't' } },
    ],
    [
      'Goose',
      { name: 'G', type: 'stdio', cmd: 'x', args: ['y'], envs: { A: 'b' } },
      { kind: 'stdio', env: { A: 'b' } },
    ],
    ['Goose, remote', { type: 'streamable_http', uri: 'https://x' }, { kind: 'http', transport: 'http' }],
    ['Zed', { source: 'custom', command: 'x', enabled: false }, { kind: 'disabled' }],
    [
      'Cherry Studio',
      { isActive: true, baseUrl: 'https://x', type: 'sse' },
      { kind: 'http', transport: 'sse' },
    ],
  ])('of %s works without a word', (_, entry, expected) => {
    const { config, warnings } = read(entry);
    expect(config).toMatchObject(expected);
    expect(warnings).toEqual([]);
  });

  test.each([
    [
      'comments, null and decoration',
      {
        ...{ _comment: 'mine', '//': 'x', '#note': 'x', $comment: 'x', command: 'x', args: null, type: null },
        ...{ env: { _comment_mode: 'stays', A: null }, description: 'd', tools: ['*'], tags: ['a'] },
      },
      { kind: 'stdio', args: [], env: { _comment_mode: 'stays' } },
    ],
    [
      'numbers and booleans',
      { command: 'x', env: { PORT: 8080, DEBUG: true } },
      { kind: 'stdio', env: { PORT: '8080', DEBUG: 'true' } },
    ],
    ['assignments', { command: 'x', env: ['A=b=c', 'PATH'] }, { kind: 'stdio', env: { A: 'b=c' } }],
    [
      'a token by its variable',
      { url: 'https://x', bearerTokenEnv: 'TOKEN', env_http_headers: { 'X-Key': 'TOKEN' } },
      { kind: 'http', headers: { Authorization: 'Bearer t', 'X-Key': 't' } },
    ],
    [
      'an address within "transport"',
      { transport: { type: 'streamableHttp', url: 'https://x' } },
      { kind: 'http', transport: 'http', url: 'https://x' },
    ],
    [
      'a program within "command"',
      { command: { path: 'x', args: ['y'], env: { A: 'b' } } },
      { kind: 'stdio', command: 'x', args: ['y'], env: { A: 'b' } },
    ],
    [
      'a folder as Warp names it',
      { command: 'x', working_directory: '/there' },
      { kind: 'stdio', cwd: '/there' },
    ],
    [
      'two addresses, of which "type" chooses one',
      { type: 'http', command: 'x', url: 'https://x' },
      { kind: 'http', url: 'https://x' },
    ],
  ])('may have %s', (_, entry, expected) => {
    expect(read(entry).config).toMatchObject(expected);
  });

  test('has no members that are called __proto__, and is told so', () => {
    const { config, warnings } = read(
      JSON.parse('{"command": "x", "env": {"__proto__": {}, "A": "b"}, "toolTimeouts": {"__proto__": "x"}}'),
    );
    expect(config).toMatchObject({ kind: 'stdio', env: { A: 'b' } });
    expect(warnings).toEqual([
      '"env.__proto__" is no usable name and ignored',
      '"toolTimeouts.__proto__" is no usable name and ignored',
    ]);
  });

  test('is told of keys nobody knows, which cost nothing', () => {
    const { config, warnings } = read({ command: 'x', frobnicate: 1, desciption: 'd' });
    expect(config).toMatchObject({ kind: 'stdio' });
    expect(warnings).toEqual([
      '"frobnicate" is ignored: it is no key toolsift knows',
      '"desciption" is ignored: it is no key toolsift knows',
    ]);
  });

  test.each([
    ['comand', 'command'],
    ['Args', 'args'],
    ['enviroment', 'env'],
    ['server_url', 'url'],
    ['timeout_seconds', 'timeoutSeconds'],
  ])('with %s, which looks like a key of ours, is faulty and says so', (key, meant) => {
    expect(read({ command: 'x', [key]: 'y' }).config).toMatchObject({
      kind: 'faulty',
      reason: `"${key}" is no key toolsift knows; did you mean "${meant}"?`,
    });
  });

  test.each([
    [{ disabledTools: ['rm'] }, '"disabledTools" is ignored: toolsift offers every tool of the server'],
    [{ timeout: 60 }, '"timeout" is ignored: clients disagree on its unit; write "timeoutSeconds"'],
    [{ envFile: '.env' }, '"envFile" is ignored: toolsift reads no such file; put its variables into "env"'],
    [{ required: true }, '"required" is ignored: a server that fails never stops the others'],
    [{ alwaysLoad: true }, '"alwaysLoad" is ignored: name the tools to show at all times in "pinned"'],
    [{ headers: { A: 'b' } }, '"headers" has no effect next to "command"'],
  ])('is told what of %j is lost', (extra, warning) => {
    expect(read({ command: 'x', ...extra }).warnings).toEqual([warning]);
  });

  test('is not told of keys that ask for nothing', () => {
    const quiet = { disabledTools: [], required: false, alwaysLoad: false, sandbox: null, headers: {} };
    expect(read({ command: 'x', ...quiet })).toMatchObject({ config: { kind: 'stdio' }, warnings: [] });
  });

  test('may say the same thing in two spellings', () => {
    expect(read({ url: 'https://x', serverUrl: 'https://x' }).config).toMatchObject({
      kind: 'http',
      transport: 'auto',
    });
  });
});
