import { describe, expect, it } from 'vitest';
import { answerBug, serverError, toolErrorResult } from '../../src/downstream/wire-error.ts';
import { ToolsiftError } from '../../src/errors.ts';
import { createLogger } from '../../src/log.ts';
import { ignoring, peerOn, TestLink } from '../jsonrpc/messages.ts';

describe('serverError', () => {
  it('names the server and keeps code, facts and cause', () => {
    const cause = new ToolsiftError('upstream_exited', 'exited with\ncode 3', { facts: { exitCode: 3 } });
    expect(serverError('db', cause)).toMatchObject({
      code: 'upstream_exited',
      message: 'server "db" is not available: exited with code 3',
      facts: { exitCode: 3, server: 'db' },
      cause,
    });
  });

  it('makes anything else a server that is not available', () => {
    expect(serverError('db', 'boom', 'failed the call of x')).toMatchObject({
      code: 'upstream_unavailable',
      message: 'server "db" failed the call of x: boom',
    });
  });
});

describe('toolErrorResult', () => {
  it('is a result that a model can read, with the code for programs', () => {
    expect(JSON.parse(toolErrorResult('unknown_tool', 'no "x"'))).toEqual({
      content: [{ type: 'text', text: 'no "x"' }],
      isError: true,
      _meta: { 'toolsift/error': 'unknown_tool' },
    });
  });
});

describe('answerBug', () => {
  it('tells the client nothing of the inside, and the log everything', () => {
    const logged: string[] = [];
    const link = new TestLink();
    const log = createLogger('error', (line) => logged.push(line));
    peerOn(link, {
      ...ignoring,
      onrequest: (request) => answerBug(request, new TypeError('secret detail'), log),
    });
    link.receive('{"jsonrpc":"2.0","id":"i","method":"tools/list"}');
    expect(JSON.parse(link.sent[0] ?? '')).toMatchObject({ id: 'i', error: { code: -32603 } });
    expect(link.sent[0]).not.toContain('secret detail');
    expect(logged.join('')).toMatch(/tools\/list: TypeError: secret detail[\s\S]* at /);
  });
});
