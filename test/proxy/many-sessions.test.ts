import { expect, it } from 'vitest';
import { waitFor } from '../helpers/wait-for.ts';
import { proxyOn, SessionClient } from './session-clients.ts';

const GOOD = ['echo', 'progress', 'asks-client', 'logging', 'changing-tools'];
const BAD = ['crash-on-start', 'never-initializes', 'garbage-stdout', 'noisy-stderr', 'ignores-sigterm'];
/** What clients of each kind declare. */
const KINDS = ['{}', '{"elicitation":{},"sampling":{}}', '{"elicitation":{"form":{}},"x":1.0}'];
const SESSIONS = 50;
const LOG = 'notifications/message';
const LIST_CHANGED = 'notifications/tools/list_changed';

/** One after the other. */
async function inTurn<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  for (const item of items) await act(item);
}

it('fifty sessions of three kinds on ten servers get what is theirs and nothing else, whoever leaves', async () => {
  const { proxy, running } = proxyOn([...GOOD, ...BAD], { pinned: ['changing-tools/zebra'] });
  const kinds: SessionClient[][] = KINDS.map(() => []);
  const all = Array.from({ length: SESSIONS }, (_, number) => {
    const client = new SessionClient(proxy, `session-${number}`);
    kinds[number % KINDS.length]?.push(client);
    return client;
  });
  await Promise.all(all.map((client, number) => client.initialize(KINDS[number % KINDS.length] ?? '{}')));
  for (const server of GOOD) {
    await waitFor(`three processes of ${server}`, () => running(server).length === KINDS.length, 60_000);
  }

  const echoed = await Promise.all(all.map((client) => client.invoke('echo', 'echo', { word: client.mark })));
  expect(echoed).toEqual(all.map(({ mark }) => JSON.stringify({ word: mark })));

  const progress = await Promise.all(
    all.map((client) => client.invokeWithProgress('progress', 'count', { steps: 3, tag: client.mark })),
  );
  expect(progress).toEqual(all.map(({ mark }) => [`${mark}-1`, `${mark}-2`, `${mark}-3`]));

  const [plain = [], sampled = [], formed = []] = kinds;
  const elicit = (client: SessionClient) =>
    client.invoke('asks-client', 'ask', {
      method: 'elicitation/create',
      params: JSON.stringify({ message: client.mark }),
    });
  const sample = (client: SessionClient) =>
    client.invoke('asks-client', 'ask', {
      method: 'sampling/createMessage',
      params: JSON.stringify({ message: client.mark }),
    });
  // Over stdio a server does not say in which call it asks: calls of one process are made in turn, kinds side by side.
  await Promise.all([
    inTurn(plain, async (client) => expect(await elicit(client)).toContain('-32601')),
    inTurn(sampled, async (client) => {
      expect(await elicit(client)).toContain(`"answeredBy":"${client.mark}"`);
      expect(await sample(client)).toContain(`"answeredBy":"${client.mark}"`);
    }),
    inTurn(formed, async (client) => {
      expect(await elicit(client)).toContain(`"answeredBy":"${client.mark}"`);
      expect(await sample(client)).toContain('-32601');
    }),
  ]);
  expect(all.map((client) => client.askedUnder('elicitation/create'))).toEqual(
    all.map(({ mark }, number) => (number % KINDS.length === 0 ? [] : [mark])),
  );
  expect(all.map((client) => client.askedUnder('sampling/createMessage'))).toEqual(
    all.map(({ mark }, number) => (number % KINDS.length === 1 ? [mark] : [])),
  );

  const ticking = await Promise.all(
    all.map((client, number) => {
      const abort = new AbortController();
      if (number % 2 === 0) setTimeout(() => abort.abort(new Error('withdrawn')), 60);
      return client
        .invoke('progress', 'tick', { everyMs: 40, ticks: 10 }, abort.signal)
        .catch((error: Error) => error.message);
    }),
  );
  expect(ticking).toEqual(all.map((_, number) => (number % 2 === 0 ? 'withdrawn' : 'ticked 10')));

  await Promise.all(
    kinds.map((clients) =>
      inTurn(clients, async (client) => {
        await client.invoke('logging', 'log', { level: 'warning', data: client.mark });
      }),
    ),
  );
  await waitFor('every session has its message', () => all.every((client) => client.told(LOG).length > 0));
  expect(all.map((client) => client.told(LOG))).toEqual(
    all.map(({ mark }) => [JSON.stringify({ logger: 'logging', level: 'warning', data: mark })]),
  );

  const heardBefore = all.map((client) => client.told(LIST_CHANGED).length);
  await sampled[0]?.invoke('changing-tools', 'add', { name: 'zebra' });
  await waitFor('the kind hears of it', () =>
    sampled.every((client) => client.told(LIST_CHANGED).length > (heardBefore[all.indexOf(client)] ?? 0)),
  );
  const lists = await Promise.all(all.map((client) => client.ask('tools/list')));
  expect(lists.map((list) => list.includes('"zebra"'))).toEqual(all.map((_, number) => number % 3 === 1));
  expect(all.map((client) => client.told(LIST_CHANGED).length)).toEqual(
    heardBefore.map((count, number) => (number % 3 === 1 ? count + 1 : count)),
  );

  expect(await all[7]?.invoke('crash-on-start', 'x')).toContain('exited with code 3');
  expect(await all[8]?.invoke('garbage-stdout', 'say')).toBe('said');
  for (const server of GOOD) expect(running(server), server).toHaveLength(KINDS.length);

  // Out of order: every seventh, round and round.
  const leaving = all
    .map((_, number) => all[(number * 7) % SESSIONS])
    .filter((client) => client !== undefined);
  expect(new Set(leaving).size).toBe(SESSIONS);
  for (const [number, client] of leaving.entries()) {
    await client.close();
    if (number % 10 !== 0) continue;
    const rest = leaving.slice(number + 1);
    const answers = await Promise.all(
      rest.map((other) => other.invoke('echo', 'echo', { word: other.mark })),
    );
    expect(answers).toEqual(rest.map(({ mark }) => JSON.stringify({ word: mark })));
  }
}, 180_000);
