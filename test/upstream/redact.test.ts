import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact, secretsOf } from '../../src/upstream/redact.ts';
import { httpConfig, stdioConfig } from './server-config.ts';

const hides = (config: Parameters<typeof secretsOf>[0], text: string) => redact(text, secretsOf(config));

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
    expect(hides(config, 'me@x me%40x p/w1 p%2Fw1 s+cret s%2Bcret example.com v=12')).toBe(
      '*** *** *** *** *** *** example.com v=12',
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
