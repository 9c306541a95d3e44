import { describe, expect, it } from 'vitest';
import { crashText, withoutCredentials } from '../../src/commands/crash.ts';
import { createLogger } from '../../src/log.ts';
import { httpConfig, stdioConfig } from '../upstream/server-config.ts';

const SERVERS = [
  stdioConfig({ args: ['--token', 'CRASHTOKEN9x'], env: { MODE: 'production' } }),
  httpConfig({ headers: { Authorization: 'Bearer CRASHHEADER9x' } }),
];

describe('an error nobody foresaw', () => {
  it('is told without the credentials of any server, and otherwise as it is', () => {
    const text = crashText(new Error('spawn server --token CRASHTOKEN9x EMFILE in production'), SERVERS);
    expect(text).toMatch(/^Error: spawn server --token \*\*\* EMFILE in production\n {4}at /);
    expect(crashText('Bearer CRASHHEADER9x', SERVERS)).toBe('***');
  });

  it('is logged so too', () => {
    const lines: string[] = [];
    const log = withoutCredentials(
      createLogger('info', (line) => lines.push(line)),
      () => SERVERS,
    );
    log.error('bug: CRASHTOKEN9x');
    log.warn('all is well');
    expect(lines).toEqual(['toolsift: error: bug: ***', 'toolsift: warn: all is well']);
  });
});
