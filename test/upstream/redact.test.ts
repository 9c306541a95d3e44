import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServerConfig } from '../../src/config/config.ts';
import { MAX_QUOTE_LENGTH } from '../../src/foreign-text.ts';
import { quoteOf, redactorOf } from '../../src/upstream/redact.ts';
import { secretsOf } from '../../src/upstream/secrets/secrets-of.ts';
import { httpConfig, stdioConfig } from './server-config.ts';

const hides = (config: ServerConfig, text: string) => redactorOf(config).hide(text);

describe('redact', () => {
  it('replaces every occurrence of every secret, the longer first', () => {
    const config = stdioConfig({ env: { TOKEN: 'abc123', KEY: 'abc123-more' } });
    expect(hides(config, 'abc123-more and abc123, abc123')).toBe('*** and ***, ***');
  });

  it('leaves no secret of the environment in any text', () => {
    const values = fc.string({ minLength: 8, maxLength: 20 }).filter((value) => !value.includes('*'));
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 4 }), fc.string(), (secrets, around) => {
        const env = Object.fromEntries(secrets.map((value, index) => [`TOKEN_${index}`, value]));
        const text = hides(stdioConfig({ env }), around + secrets.join(around) + around);
        for (const value of secrets) expect(text).not.toContain(value);
      }),
    );
  });
});

describe('secrets of a command', () => {
  it.each([
    ['long values of env', { env: { URL: 'https://u:p@host/x' } }, 'at https://u:p@host/x', 'at ***'],
    ['short values under a telling name', { env: { API_KEY: 'k3y' } }, 'bad k3y', 'bad ***'],
    ['what follows a telling flag', { args: ['--api-key', 'abcd'] }, 'got abcd', 'got ***'],
    ['what a telling flag carries', { args: ['--token=abcd'] }, 'got abcd', 'got ***'],
  ])('are %s', (_, more, said, shown) => {
    expect(hides(stdioConfig(more), said)).toBe(shown);
  });

  it.each([
    ['short values under a plain name', { env: { LOG: 'debug' } }],
    ['empty values', { env: { TOKEN: '' } }],
    ['plain arguments', { args: ['--port', '8080', 'debug', '--verbose=debug'] }],
    ['a flag that follows a telling flag', { args: ['--auth', '--debug'] }],
  ])('are not %s', (_, more) => {
    expect(hides(stdioConfig(more), 'debug 8080 --debug')).toBe('debug 8080 --debug');
  });
});

describe('secrets of a URL', () => {
  it('are its user info and query, as written and decoded', () => {
    const config = httpConfig({ url: 'https://me%40x:p%2Fw1@example.com/mcp?key=s%2Bcret&v=12' });
    expect(hides(config, 'me@x me%40x then p/w1 p%2Fw1 s+cret s%2Bcret example.com v=12')).toBe(
      '*** *** then *** *** *** *** example.com v=12',
    );
  });

  it('are the values of headers, and the credential behind a scheme', () => {
    const config = httpConfig({ headers: { Authorization: 'Bearer abcdefgh1234', Accept: 'x/y' } });
    expect(hides(config, 'Bearer abcdefgh1234; token abcdefgh1234; x/y')).toBe('***; token ***; x/y');
  });

  it('are looked for in headers even when the URL cannot be read', () => {
    expect(hides(httpConfig({ url: 'nowhere', headers: { 'X-Key': 'abcd' } }), 'abcd')).toBe('***');
  });
});

describe('secrets of an entry', () => {
  it.each([
    [
      'a token in the path of a URL',
      httpConfig({ url: 'https://h.example/s/PATHTOKEN9x/mcp' }),
      'PATHTOKEN9x',
    ],
    [
      'an id in the path of a URL',
      httpConfig({ url: 'https://h.example/2b1f0c1e-7f1d-4d0a-9a50-0e6a51b0c111/mcp' }),
      '2b1f0c1e-7f1d-4d0a-9a50-0e6a51b0c111',
    ],
    ['a user without a password', httpConfig({ url: 'https://tok3nuser@h.example/mcp' }), 'tok3nuser'],
    [
      'the credentials of a URL as HTTP sends them',
      httpConfig({ url: 'https://user:hunter22@h.example/mcp' }),
      Buffer.from('user:hunter22').toString('base64'),
    ],
    ['a positional argument', stdioConfig({ args: ['server.js', 'POSITION9x'] }), 'POSITION9x'],
    ['a password made by people', stdioConfig({ args: ['server.js', 'p4ssw0rd'] }), 'p4ssw0rd'],
    ['what follows -p', stdioConfig({ args: ['-p', 'opensesame'] }), 'opensesame'],
    ['what is glued to -p', stdioConfig({ args: ['-pOpen5esame'] }), 'Open5esame'],
    ['what follows -u, behind the user', stdioConfig({ args: ['-u', 'bob:sesame'] }), 'sesame'],
    ['a variable for a container', stdioConfig({ args: ['run', '-e', 'GH_PAT=abcd', 'i'] }), 'abcd'],
    ['a short value of a PIN', stdioConfig({ env: { CARD_PIN: '4711' } }), '4711'],
    ['a short value of a password', stdioConfig({ env: { DB_PASS: 'cat' } }), 'cat'],
    [
      'a member of JSON',
      stdioConfig({ env: { HEADERS: '{"Authorization": "Bearer abcd1234"}' } }),
      'abcd1234',
    ],
    ['a part of a connection string', stdioConfig({ env: { DB: 'Server=h;Password=cat5;' } }), 'cat5'],
    [
      'what a variable gave to an argument',
      stdioConfig({ args: ['zebra'], fromVariables: [{ name: 'MY_ID', value: 'zebracorn' }] }),
      'zebracorn',
    ],
  ])('are %s', (_, config, secret) => {
    expect(hides(config, `failed with <${secret}>`)).toMatch(/^failed with <\*\*\*=*>$/);
  });

  it('are what the server inherits under a telling name', () => {
    const secrets = secretsOf(stdioConfig(), { GITHUB_TOKEN: 'abcdefgh1234', SSH_AUTH_SOCK: '/tmp/agent' });
    expect(secrets.map(({ value }) => value)).toEqual(['abcdefgh1234']);
  });

  it.each([
    [
      'what a runner is told to run',
      stdioConfig({ command: 'npx', args: ['-y', '@acme/mcp-x9y8z7w6@1.2.3'] }),
    ],
    ['a tool for uvx', stdioConfig({ command: 'uvx', args: ['mcp-server-abc123def'] })],
    ['a path', stdioConfig({ args: ['/srv/Ab3dEfgh1/server.js', './Ab3dEfgh1.js'] })],
    [
      'words of a command line',
      stdioConfig({ args: ['run', 'stdio', '-t', 'http', '-p', '8080', '--port=80'] }),
    ],
    ['what a word under a telling name says', stdioConfig({ env: { USE_AUTH: 'true', AUTH_TYPE: 'basic' } })],
    ['plain parts of a URL', httpConfig({ url: 'https://mcp.example.com/api/v1/oauth2/mcp' })],
  ])('are not %s', (_, config) => {
    const said =
      '@acme/mcp-x9y8z7w6@1.2.3 mcp-server-abc123def /srv/Ab3dEfgh1/server.js run stdio http 8080 true basic mcp.example.com/api/v1/oauth2/mcp';
    expect(hides(config, said)).toBe(said);
  });
});

describe('a quote', () => {
  const quote = quoteOf(
    stdioConfig({ env: { KEY: 'line one of it\nline two of it', TOKEN: 'abcdefgh12345678' } }),
  );

  it('is free of secrets before white space is folded', () => {
    expect(quote('bad key\n  line one of it\nline two of it')).toBe('bad key ***');
  });

  it('is on one line, harmless to terminals, and short', () => {
    expect(quote('a\r\n\u001b[31mred\u001b[0m \u001b]0;title\u0007\u202eb\u009b1m')).toBe('a red \\u202eb');
    expect(quote('x'.repeat(5_000_000))).toBe(`${'x'.repeat(MAX_QUOTE_LENGTH - 1)}…`);
  });

  it('shows no part of a secret that its own limit cuts through', () => {
    for (let before = MAX_QUOTE_LENGTH - 20; before <= MAX_QUOTE_LENGTH; before++) {
      expect(quote(`${'x'.repeat(before)}abcdefgh12345678`)).not.toContain('abc');
    }
  });

  it('shows no secret that stands around what is taken out of the line', () => {
    expect(quote('abcdefgh\u001b]0;hello\u000712345678')).toBe('***');
  });
});
