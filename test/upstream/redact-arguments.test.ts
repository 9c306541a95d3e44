import { describe, expect, it } from 'vitest';
import { redactorOf } from '../../src/upstream/redact.ts';
import { stdioConfig } from './server-config.ts';

/** Credentials in places where real servers take them as arguments. */
describe('credentials among the arguments of a command', () => {
  it.each([
    [
      'a header for mcp-remote',
      ['mcp-remote', 'https://x', '--header', 'Authorization: Bearer abcdefgh1234'],
      'abcdefgh1234',
    ],
    ['the password of a connection URL', ['postgresql://user:hunter22@db.example.com/main'], 'hunter22'],
    ['the query of a URL', ['mcp-remote', 'https://mcp.example.com/mcp?apiKey=abcdefgh1234'], 'abcdefgh1234'],
  ])('are hidden: %s', (_, args, secret) => {
    expect(redactorOf(stdioConfig({ args })).hide(`failed with ${secret}`)).toBe('failed with ***');
  });
});
