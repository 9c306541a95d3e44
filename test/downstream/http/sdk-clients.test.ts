import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../../helpers/wait-for.ts';
import { serveStub } from './served-stub.ts';

const INFO = { name: 'test', version: '1' };
const CAPABILITIES = { capabilities: { elicitation: { form: {} } } };

/** What both clients have in common, as far as these tests need it. */
interface TestClient {
  readonly messages: unknown[];
  call(name: string, options?: { onprogress?: () => unknown; signal?: AbortSignal }): Promise<unknown>;
  list(): Promise<unknown>;
  terminate(): Promise<void>;
  close(): Promise<void>;
}

async function connect1(url: string): Promise<TestClient> {
  const client = new Client1(INFO, CAPABILITIES);
  const messages: unknown[] = [];
  client.setNotificationHandler(
    LoggingMessageNotificationSchema,
    ({ params }) => void messages.push(params.data),
  );
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: {} }));
  const transport = new Transport1(new URL(url));
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    messages,
    call: (name, options) => client.callTool({ name, arguments: { a: 1 } }, undefined, options),
    list: () => client.listTools(),
    terminate: () => transport.terminateSession(),
    close: () => client.close(),
  };
}

async function connect2(url: string, mode: 'legacy' | 'auto'): Promise<TestClient> {
  const client = new Client2(INFO, { ...CAPABILITIES, versionNegotiation: { mode } });
  const messages: unknown[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => void messages.push(params.data));
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
  const transport = new Transport2(new URL(url));
  await client.connect(transport);
  return {
    messages,
    call: (name, options) => client.callTool({ name, arguments: { a: 1 } }, options),
    list: () => client.listTools(),
    terminate: () => transport.terminateSession(),
    close: () => client.close(),
  };
}

describe.each([
  ['SDK v1', connect1],
  ['SDK v2', (url: string) => connect2(url, 'legacy')],
  ['SDK v2 that probes for the newer protocol', (url: string) => connect2(url, 'auto')],
])('a client made with %s', (_name, connect) => {
  it('lists, calls, hears of progress and of what belongs to no request, is asked, and leaves', async () => {
    const { url, conversations, sessions } = await serveStub();
    const client = await connect(url);
    const conversation = conversations.at(-1);
    expect(await client.list()).toMatchObject({ tools: [{ name: 'echo' }] });
    expect(await client.call('echo')).toMatchObject({ content: [{ type: 'text' }] });
    let progressed = 0;
    await client.call('progress', { onprogress: () => progressed++ });
    expect(progressed).toBe(3);

    const asking = client.call('ask');
    await waitFor('the answer of the client', () =>
      conversation?.frames.some((frame) => frame.kind === 'response' && frame.result !== undefined),
    );
    conversation?.answer(conversation.waiting[0] ?? '', '{"content":[]}');
    expect(await asking).toMatchObject({ content: [] });

    conversation?.notify('notifications/message', '{"level":"info","data":"hello"}');
    await waitFor('the message', () => client.messages.includes('hello'));
    await client.terminate();
    await waitFor('the end of the session', () => sessions.size === 0);
    await client.close();
  });

  it('withdraws a call', async () => {
    const { url, conversations, sessions } = await serveStub();
    const client = await connect(url);
    const conversation = conversations.at(-1);
    const abort = new AbortController();
    const failed = expect(client.call('wait', { signal: abort.signal })).rejects.toThrow();
    await waitFor('the call', () => conversation?.waiting.length === 1);
    abort.abort();
    await failed;
    await waitFor('the withdrawal', () => sessions.openCalls === 0);
    expect(await client.call('echo')).toMatchObject({ content: [{ type: 'text' }] });
    await client.close();
  });
});
