import { describe, expect, it, onTestFinished } from 'vitest';
import { staticTokens } from '../../src/downstream/http/static-tokens.ts';
import { serveStub } from '../downstream/http/served-stub.ts';
import { RawClient, resultText } from '../helpers/raw-client.ts';
import { CLI } from '../helpers/toolsift.ts';
import { waitFor } from '../helpers/wait-for.ts';

function bridge(url: string, env: Record<string, string> = {}): RawClient {
  const client = new RawClient(process.execPath, [CLI, 'mcp', '--url', url], {
    env: { ...process.env, ...env },
  });
  onTestFinished(async () => {
    if (!client.hasExited) await client.close();
    expect(client.junk).toEqual([]);
  });
  return client;
}

describe('toolsift mcp --url', () => {
  it('puts a client that speaks only stdio through, ids, calls, progress, questions and news included', async () => {
    const { url, conversations } = await serveStub();
    const client = bridge(url);
    client.handle('elicitation/create', () => resultText({ action: 'accept' }));
    expect((await client.initialize()).result).toMatchObject({ serverInfo: { name: 'stub' } });
    const [conversation] = conversations;

    const call = await client.ask(
      'tools/call',
      { name: 'progress', _meta: { progressToken: 'p' } },
      { id: 'own-id' },
    );
    expect(call.id).toBe('own-id');
    expect(client.notifications.map(({ method }) => method)).toEqual(Array(3).fill('notifications/progress'));

    const asked = client.ask('tools/call', { name: 'ask' });
    await waitFor('the answer of the client', () =>
      conversation?.frames.some((frame) => frame.kind === 'response'),
    );
    conversation?.answer(conversation.waiting[0] ?? '', '{ "n":9007199254740993,"x":1.0 }');
    expect((await asked).line).toContain('"result":{ "n":9007199254740993,"x":1.0 }');

    await waitFor('the stream for news', () => {
      conversation?.notify('notifications/message', '{"data":"hello"}');
      return client.notifications.some(({ method }) => method === 'notifications/message');
    });
  });

  it('leaves with its client, and ends the session', async () => {
    const { url, sessions } = await serveStub();
    const client = bridge(url);
    await client.initialize();
    expect(sessions.size).toBe(1);
    await client.close();
    expect(await client.exited).toEqual({ code: 0, signal: null });
    await waitFor('the end of the session', () => sessions.size === 0);
  });

  it('lets in with TOOLSIFT_TOKEN, which is seen nowhere', async () => {
    const { url, lines } = await serveStub({
      authenticator: staticTokens(new Map([['ci', 'sEcReT-token']])),
    });
    const client = bridge(url, { TOOLSIFT_TOKEN: 'sEcReT-token' });
    await client.initialize();
    const other = bridge(url, { TOOLSIFT_TOKEN: 'sEcReT-wrong' });
    const answer = await other.ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    });
    expect(answer.error).toMatchObject({ code: -32_603 });
    expect((await other.exited).code).toBe(1);
    expect(lines.join('') + client.stderr + other.stderr + answer.line).not.toContain('sEcReT');
  });

  it('says what is wrong where nobody listens, and ends', async () => {
    const client = bridge('http://127.0.0.1:9/mcp');
    const answer = await client.ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    });
    expect(answer.error).toMatchObject({ message: expect.stringContaining('ECONNREFUSED') });
    await client.close();
  });
});
