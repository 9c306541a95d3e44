import { describe, expect, it, onTestFinished } from 'vitest';
import { event, startFaultServer, streamHead } from '../../fixtures/http/fault-server.mjs';
import { oddAnswer, oddAnswers } from '../../fixtures/http/odd-answers.ts';
import { startSseServer } from '../../fixtures/http/sse-server.mjs';
import { throughToolsift } from '../../fixtures/http/through-toolsift.ts';
import { memberText } from '../../helpers/raw-json.ts';

const tools = oddAnswers.map(({ name }) => name);
const asJson = { 'content-type': 'application/json' };

function startHttp(form: 'json' | 'stream') {
  return startFaultServer({
    tools,
    call: (params, res, { id }) => {
      const text = oddAnswer(params.name, id);
      if (form === 'json') res.writeHead(200, asJson).end(text);
      else res.writeHead(200, streamHead).end(event(text));
      return undefined;
    },
  });
}

const forms = {
  'Streamable HTTP, as JSON': () => startHttp('json'),
  'Streamable HTTP, as a stream': () => startHttp('stream'),
  'HTTP+SSE': () =>
    startSseServer({
      tools,
      call: ({ id, params }, sse) => {
        sse.send(oddAnswer(params?.name, id));
        return 'none';
      },
    }),
};

describe('every odd answer reaches the client of toolsift as the text it was', () => {
  it.each(Object.entries(forms))('%s', async (_form, start) => {
    const server = await start();
    onTestFinished(() => server.close());
    const client = await throughToolsift({ url: server.url });
    for (const { name, part } of oddAnswers) {
      const args = { server: 'remote', name, arguments: {} };
      const { line } = await client.ask('tools/call', { name: 'invoke_tool', arguments: args });
      expect(memberText(line, 'result') ?? memberText(line, 'error'), name).toBe(part);
    }
  });
});
