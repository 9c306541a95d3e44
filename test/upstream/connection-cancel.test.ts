import { expect, it } from 'vitest';
import { openConnection } from '../../src/upstream/connection.ts';
import { settled } from './fake-clock.ts';
import { FakeServer } from './fake-server.ts';

it('a handshake that is broken off is not cancelled, which the protocol forbids for initialize', async () => {
  const server = new FakeServer({ on: { initialize: () => undefined } });
  const link = server.link;
  link.close = async () => {};
  const abort = new AbortController();
  const handlers = { onnotification: () => {}, onfault: () => {}, onclose: () => {} };
  const opening = openConnection({
    link,
    initializeParams: '{}',
    quote: (text) => text,
    members: new Set(),
    handlers,
    signal: abort.signal,
  });
  opening.catch(() => {});
  await settled();
  let withdrawn = false;
  for (const request of server.requests)
    request.oncancel = () => {
      withdrawn = true;
    };
  abort.abort(new Error('too slow'));
  await expect(opening).rejects.toThrow('too slow');
  await settled();
  expect(server.requests).toHaveLength(1);
  expect(withdrawn).toBe(false);
});
