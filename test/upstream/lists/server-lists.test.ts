import { describe, expect, it } from 'vitest';
import { openConnection } from '../../../src/upstream/connection.ts';
import { readServerLists } from '../../../src/upstream/lists/server-lists.ts';
import { type Answer, FakeServer } from '../fake-server.ts';

const quote = (text: string) => text;
const NEVER = new AbortController().signal;
const handlers = { onnotification: () => {}, onfault: () => {}, onclose: () => {} };

async function connectedTo(capabilities: string, on: Record<string, Answer>) {
  const server = new FakeServer({ capabilities, on, tools: ['t'] });
  const connection = await openConnection({
    link: server.link,
    initializeParams: '{}',
    quote: (text: string) => text,
    members: new Set(),
    handlers,
    signal: NEVER,
  });
  const methods = () =>
    server.requests.map(({ frame }) => frame.method).filter((method) => method.endsWith('/list'));
  return { server, connection, methods };
}

const ALL = '{"tools":{},"resources":{},"prompts":{}}';
const full: Record<string, Answer> = {
  'resources/list': () => '{"resources":[{"uri":"a:1"}]}',
  'resources/templates/list': () => '{"resourceTemplates":[{"uriTemplate":"a:{x}"}]}',
  'prompts/list': () => '{"prompts":[{"name":"p"}]}',
};
const refuse =
  (code: number): Answer =>
  (request) => {
    request.error(code, 'database is locked');
    return undefined;
  };

const reading = (signal: AbortSignal) => ({
  signal,
  limits: { maxListBytes: 1_000_000, maxListItems: 1000 },
});

describe('readServerLists', () => {
  it('reads all that the server declares, each item as it was written', async () => {
    const { connection } = await connectedTo(ALL, full);
    expect(await readServerLists(connection, reading(NEVER), quote)).toEqual({
      problems: [],
      lists: {
        initializeParams: '{}',
        initializeResult: connection.initializeResult,
        tools: ['{"name":"t"}'],
        resources: ['{"uri":"a:1"}'],
        resourceTemplates: ['{"uriTemplate":"a:{x}"}'],
        prompts: ['{"name":"p"}'],
      },
    });
  });

  it('asks for tools even where they are not declared, and for nothing else', async () => {
    const { connection, methods } = await connectedTo('{}', full);
    const { lists } = await readServerLists(connection, reading(NEVER), quote);
    expect([methods(), lists.tools, lists.prompts]).toEqual([['tools/list'], ['{"name":"t"}'], []]);
  });

  it('takes a method that is not there for an empty list', async () => {
    const { connection } = await connectedTo('{"prompts":{}}', { 'tools/list': refuse(-32601) });
    const { lists, problems } = await readServerLists(connection, reading(NEVER), quote);
    expect([lists.tools, lists.prompts, problems]).toEqual([[], [], []]);
  });

  it('reads the other lists when one fails, and says what went wrong', async () => {
    const { connection } = await connectedTo(ALL, { ...full, 'tools/list': refuse(-32603) });
    const { lists, problems } = await readServerLists(connection, reading(NEVER), quote);
    expect([lists.tools, lists.prompts]).toEqual([undefined, ['{"name":"p"}']]);
    expect(problems).toEqual(['answered tools/list with error -32603: database is locked']);
  });

  it('fails as a whole when the session ends or is given up meanwhile', async () => {
    const { connection, server } = await connectedTo('{}', {
      'tools/list': () => {
        void server.peer.close();
        return undefined;
      },
    });
    await expect(readServerLists(connection, reading(NEVER), quote)).rejects.toMatchObject({
      code: 'upstream_exited',
    });
    await expect(
      readServerLists(connection, reading(AbortSignal.abort(new Error('enough'))), quote),
    ).rejects.toThrow('enough');
  });
});
