import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { meanOf, measure } from '../../bench/retrieval/metrics.ts';
import { DATA_FOLDER, groupByServer, readCatalogSet } from '../../bench/retrieval/sets.ts';
import { createToolIndex } from '../../src/index.ts';
import { idOf } from '../../src/search/rank/exact-first.ts';

const FIRST_FLOOR = 0.47;
const FIRST_FIVE_FLOOR = 0.73;
const FEW_SERVERS = ['github', 'filesystem', 'memory', 'google-calendar'];
const RANKING_TIMEOUT_MS = 120_000;

const set = readCatalogSet(path.join(DATA_FOLDER, 'catalog'));

describe.skipIf(set === undefined)(
  'requests written for the catalog (skipped where the data folder is not there)',
  () => {
    const { queries } = set ?? { queries: [] };
    // The floors hold among the servers that the requests are about, however many more the catalog has.
    const asked = new Set(queries.flatMap(({ relevant }) => relevant.map(({ server }) => server)));
    const tools = (set?.tools ?? []).filter(({ server }) => asked.has(server));

    test('name tools that the catalog has, and no request stands twice', () => {
      const known = new Set(tools.map(idOf));
      const strays = queries.filter(
        ({ relevant }) => relevant.length === 0 || !relevant.every((tool) => known.has(idOf(tool))),
      );
      expect(strays).toEqual([]);
      expect(new Set(queries.map(({ query }) => query)).size).toBe(queries.length);
    });

    test.each([
      ['create an issue', 'github/create_issue'],
      ['create a pull request', 'github/create_pull_request'],
      ['read a file', 'filesystem/read_file'],
      ['delete a calendar event', 'google-calendar/delete-event'],
      ['open a github issue', 'github/create_issue'],
      ['put off a meeting', 'google-calendar/update-event'],
    ])('of the README kind find their tool among a few servers: %s', (query, expected) => {
      const index = createToolIndex();
      for (const [server, listed] of groupByServer(tools))
        if (FEW_SERVERS.includes(server)) index.replaceServer(server, listed);
      const found = index.search(query, { limit: 1 }).map(({ server, name }) => `${server}/${name}`);
      expect(found).toEqual([expected]);
    });

    test(
      'are ranked at least as well as before',
      () => {
        const index = createToolIndex();
        for (const [server, listed] of groupByServer(tools)) index.replaceServer(server, listed);
        const { r1, r5 } = meanOf(
          queries.map((query) => measure(query, index.search(query.query, { limit: 5 }))),
        );
        console.log(`requests for the catalog: R@1 ${r1.toFixed(3)}, R@5 ${r5.toFixed(3)}`);
        expect(r1).toBeGreaterThanOrEqual(FIRST_FLOOR);
        expect(r5).toBeGreaterThanOrEqual(FIRST_FIVE_FLOOR);
      },
      RANKING_TIMEOUT_MS,
    );
  },
);
