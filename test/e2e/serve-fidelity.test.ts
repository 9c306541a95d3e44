import { beforeAll, describe, expect, it } from 'vitest';
import { startFaultServer } from '../fixtures/http/fault-server.mjs';
import { oddAnswer, oddAnswers } from '../fixtures/http/odd-answers.ts';
import { oddListEntries } from '../fixtures/lib/odd-list-entries.mjs';
import { fixture } from '../helpers/fixture.ts';
import type { HttpClient } from '../helpers/http-client.ts';
import { elementsOf, memberText, textAt } from '../helpers/raw-json.ts';
import { Serving } from '../helpers/serving.ts';

let plain: HttpClient;
let streamed: HttpClient;
beforeAll(async () => {
  const remote = await startFaultServer({
    tools: oddAnswers.map(({ name }) => name),
    call: (params, response, { id }) => {
      const text = oddAnswer(params.name, id);
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
      return undefined;
    },
  });
  const serving = new Serving({
    servers: { oddities: fixture('oddities'), odd: fixture('odd-lists'), remote: { url: remote.url } },
    config: { pinned: ['odd/odd_tool'] },
  });
  await serving.listening();
  plain = await serving.connect({ accept: 'application/json' });
  streamed = await serving.connect({ accept: 'text/event-stream' });
  await plain.listed('oddities', 'odd', 'remote');
  return async () => {
    await serving.stop();
    await remote.close();
  };
});

/** The source text of the result or of the error. */
const part = (line: string) => memberText(line, 'result') ?? memberText(line, 'error');

describe.each(['oddities', 'remote'])(
  'every odd answer of the server "%s" reaches a client over HTTP as the text it was',
  (server) => {
    it.each(oddAnswers.map(({ name, part: text }) => [name, text] as const))('%s', async (name, text) => {
      expect(part((await plain.invoke(server, name)).line) === text).toBe(true);
      // A stream of events ends lines with a line feed, whatever ended them before.
      const lines = (value: string | undefined) => value?.replaceAll(/\r\n?/g, '\n');
      expect(lines(part((await streamed.invoke(server, name)).line)) === lines(text)).toBe(true);
    });
  },
);

describe('every odd entry of a list reaches a client over HTTP as the text it was', () => {
  it.each([
    ['tools/list', 'tools', oddListEntries.tool],
    ['resources/list', 'resources', oddListEntries.resource],
    ['resources/templates/list', 'resourceTemplates', oddListEntries.template],
    ['prompts/list', 'prompts', oddListEntries.prompt],
  ])('%s', async (method, key, text) => {
    for (const client of [plain, streamed]) {
      const { line } = await client.ask(method);
      const item = elementsOf(textAt(line, 'result', key) ?? '[]').at(-1);
      // What is pinned is marked for hosts that hide tools.
      expect(item?.replace('"anthropic/alwaysLoad":true,', '')).toBe(text.trim());
    }
  });
});
