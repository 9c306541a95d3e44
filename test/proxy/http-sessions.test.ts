import type { ServerResponse } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../src/log.ts';
import { ToolProxy } from '../../src/proxy/proxy.ts';
import { event, streamHead } from '../fixtures/http/fault-server.mjs';
import { serverFor } from '../fixtures/http/remote.ts';
import { waitFor } from '../helpers/wait-for.ts';
import { httpConfig } from '../upstream/server-config.ts';
import { SessionClient } from './session-clients.ts';

it('what a server says and asks on the stream of one call reaches the session that made it, whoever else calls', async () => {
  const open: { mark: string; res: ServerResponse; id: unknown }[] = [];
  const server = await serverFor({
    call: ({ arguments: args }, res, { id }) => {
      res.writeHead(200, streamHead);
      open.push({ mark: String(args.mark), res, id });
      return undefined;
    },
  });
  const remote = httpConfig({ name: 'remote', url: server.url });
  const proxy = new ToolProxy({
    config: {
      file: '/nowhere/toolsift.json',
      servers: new Map([['remote', remote]]),
      pinned: [],
      topK: 5,
      maxMessageBytes: 1_000_000,
      pinnedWaitMs: 0,
      search: { mode: 'learned', maxTokens: 4000 },
      warnings: [],
    },
    log: createLogger('silent'),
    version: '1.2.3',
  });
  onTestFinished(() => proxy.close());
  const clients = ['one', 'two', 'three'].map((mark) => new SessionClient(proxy, mark));
  for (const client of clients) await client.initialize('{"elicitation":{}}');
  const calls = clients.map((client) => client.invoke('remote', 'do', { mark: client.mark }));
  await waitFor('all calls are open', () => open.length === clients.length);
  for (const { mark, res } of open) {
    const params = JSON.stringify({ level: 'info', data: mark, message: mark });
    res.write(event(`{"jsonrpc":"2.0","method":"notifications/message","params":${params}}`));
    res.write(event(`{"jsonrpc":"2.0","id":"ask-${mark}","method":"elicitation/create","params":${params}}`));
  }
  await waitFor('all are asked', () => clients.every((client) => client.asked.length > 0));
  await waitFor('all are told', () =>
    clients.every((client) => client.told('notifications/message').length > 0),
  );
  for (const { mark, res, id } of open)
    res.end(
      event(
        `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"${mark}"}]}}`,
      ),
    );
  expect(await Promise.all(calls)).toEqual(['one', 'two', 'three']);
  expect(clients.map((client) => client.askedUnder('elicitation/create'))).toEqual([
    ['one'],
    ['two'],
    ['three'],
  ]);
  expect(clients.map((client) => client.told('notifications/message').length)).toEqual([1, 1, 1]);
  for (const client of clients)
    expect(client.told('notifications/message')[0]).toContain(`"data":"${client.mark}"`);
});
