import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { freePort, runServer, throughToolsift } from '../../fixtures/http/through-toolsift.ts';
import type { Json, Message } from '../../helpers/message.ts';
import { type RawClient, resultText } from '../../helpers/raw-client.ts';
import { waitFor, within } from '../../helpers/wait-for.ts';

const EVERYTHING = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
const SDK2 = fileURLToPath(new URL('../../fixtures/http/sdk2-server.mjs', import.meta.url));
const CAPABILITIES = { roots: {}, sampling: {}, elicitation: { form: {}, url: {} } };
const ROOTS: Json = { roots: [{ uri: 'file:///home/x', name: 'x' }] };
const SAMPLE: Json = { role: 'assistant', content: { type: 'text', text: 'sampled' }, model: 'm' };
const ELICITED: Json = { action: 'accept', content: { name: 'Ada' } };

/** Arguments for the tools that need some. */
const ARGUMENTS: Record<string, Json> = {
  echo: { message: 'héllo' },
  'get-sum': { a: 1, b: 2 },
  'get-annotated-message': { messageType: 'success', includeImage: true },
  'get-resource-reference': { resourceType: 'Text', resourceId: 1 },
  'get-structured-content': { location: 'New York' },
  'trigger-long-running-operation': { duration: 0.2, steps: 2 },
  'trigger-sampling-request': { prompt: 'p', maxTokens: 5 },
  'trigger-url-elicitation': { url: 'https://example.test/x' },
  'gzip-file-as-resource': { name: 'x.gz', data: 'data:text/plain,hello', outputType: 'resource' },
  count: { to: 3 },
};
/** Tools that change what others answer, are tasks, or never answer. */
const SKIPPED = /async$|^simulate-|^toggle-|^grow|^wait$/;

function answerRequests(client: RawClient): void {
  client.handle('roots/list', () => resultText(ROOTS));
  client.handle('sampling/createMessage', () => resultText(SAMPLE));
  client.handle('elicitation/create', () => resultText(ELICITED));
}

async function directly(url: string, transport: 'http' | 'sse'): Promise<Client> {
  const client = new Client({ name: 'direct', version: '1' }, { capabilities: CAPABILITIES });
  client.setRequestHandler(ListRootsRequestSchema, () => ROOTS as never);
  client.setRequestHandler(CreateMessageRequestSchema, () => SAMPLE as never);
  client.setRequestHandler(ElicitRequestSchema, () => ELICITED as never);
  const Transport = transport === 'sse' ? SSEClientTransport : StreamableHTTPClientTransport;
  await client.connect(new Transport(new URL(url)) as Parameters<Client['connect']>[0]);
  onTestFinished(() => client.close());
  return client;
}

/** Result or error of a call, as the SDK's client would know it but with nothing stripped. */
async function directAnswer(client: Client, name: string): Promise<unknown> {
  const params = { name, arguments: ARGUMENTS[name] ?? {} };
  try {
    return { result: await client.request({ method: 'tools/call', params }, z.looseObject({})) };
  } catch (error) {
    return { error: (error as { code: number }).code };
  }
}

async function throughAnswer(client: RawClient, name: string): Promise<unknown> {
  const answer = await client.ask('tools/call', invoking(name));
  if (answer.error === undefined) return { result: answer.result };
  return { error: (answer.error as { code: number }).code };
}

/** Without what differs from call to call: random ids and the time of day. */
function withoutChance(answer: unknown): unknown {
  const text = JSON.stringify(answer)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid')
    .replaceAll(/\d{1,2}:\d{2}:\d{2}(\s?[AP]M)?/g, 'time');
  return JSON.parse(text);
}

function invoking(name: string, meta?: Json): Json {
  const args = { server: 'remote', name, arguments: ARGUMENTS[name] ?? {} };
  return { name: 'invoke_tool', arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
}

async function expectSameAnswers(url: string, transport: 'http' | 'sse'): Promise<RawClient> {
  const direct = await directly(url, transport);
  const through = await throughToolsift(
    { url, type: transport },
    { capabilities: CAPABILITIES, prepare: answerRequests },
  );
  const { tools } = await direct.request(
    { method: 'tools/list' },
    z.looseObject({ tools: z.array(z.looseObject({ name: z.string() })) }),
  );
  const names = tools.map(({ name }) => name).filter((name) => !SKIPPED.test(name));
  expect(names.length).toBeGreaterThan(3);
  for (const name of names) {
    const [told, expected] = [await throughAnswer(through, name), await directAnswer(direct, name)];
    expect(withoutChance(told), name).toEqual(withoutChance(expected));
  }
  return through;
}

async function progressOf(client: RawClient, name: string): Promise<Message[]> {
  await client.ask('tools/call', invoking(name, { progressToken: 'p1' }));
  return client.notifications.filter(({ method }) => method === 'notifications/progress');
}

describe('the everything server', () => {
  it.each([
    ['streamableHttp', '/mcp', 'http'],
    ['sse', '/sse', 'sse'],
  ] as const)('answers in its %s mode as it does directly', async (mode, path, transport) => {
    const port = await freePort();
    await runServer([EVERYTHING, mode], { PORT: String(port) }, /listening on port|running on port/);
    const client = await expectSameAnswers(`http://127.0.0.1:${port}${path}`, transport);
    const progress = await progressOf(client, 'trigger-long-running-operation');
    expect(progress.map(({ params }) => (params as { progressToken: Json }).progressToken)).toEqual([
      'p1',
      'p1',
    ]);
    expect(client.requests.map(({ method }) => method)).toEqual(
      expect.arrayContaining(['roots/list', 'sampling/createMessage', 'elicitation/create']),
    );
  });

  it.each([
    ['streamableHttp', '/mcp'],
    ['sse', '/sse'],
  ])('is used on when it was away for a while and has forgotten everything, %s', async (mode, path) => {
    const port = await freePort();
    const env = { PORT: String(port) };
    const run = () => runServer([EVERYTHING, mode], env, /listening on port|running on port/);
    const { process: first } = await run();
    const client = await throughToolsift({ url: `http://127.0.0.1:${port}${path}` });
    expect(await throughAnswer(client, 'get-sum')).not.toHaveProperty('result.isError');
    first.kill();
    await waitFor('the end of the server', () => first.exitCode !== null || first.signalCode !== null);
    for (let n = 0; n < 2; n++) {
      const call = within('the failure', 5000, throughAnswer(client, 'get-sum'));
      expect(await call).toMatchObject({
        result: { isError: true, _meta: { 'toolsift/error': expect.stringMatching(/^upstream_/) } },
      });
    }
    await run();
    expect(await throughAnswer(client, 'get-sum')).not.toHaveProperty('result.isError');
  });
});

describe('a server made with the v2 SDK', () => {
  it.each(['stateful', 'stateless', 'handler'])('answers as it does directly, %s', async (mode) => {
    const { output } = await runServer([SDK2, mode], {}, /port \d+/);
    const url = `http://127.0.0.1:${/port (\d+)/.exec(output())?.[1]}/mcp`;
    const client = await expectSameAnswers(url, 'http');
    expect(await progressOf(client, 'count')).toHaveLength(3);
    if (mode !== 'stateful') return;
    expect(client.requests.some(({ method }) => method === 'elicitation/create')).toBe(true);
    await client.ask('tools/call', invoking('grow'));
    await waitFor('the new tool', async () => {
      const answer = await client.ask('tools/call', { name: 'search_tools', arguments: { query: 'grown' } });
      return answer.line.includes('grown');
    });
    const id = client.nextId();
    client.write(
      `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: invoking('wait') })}\n`,
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    client.notify('notifications/cancelled', { requestId: id });
    await waitFor('the cancellation at the server', () => output().includes('cancelled'));
  });
});
