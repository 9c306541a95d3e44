import { existsSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DATA_FOLDER, groupByServer, type ListedTool, readCatalog } from '../../bench/retrieval/sets.ts';
import { createToolIndex } from '../../src/index.ts';
import { splitWords } from '../../src/search/words/words.ts';
import { RANKING_TOOLS } from './ranking-tools.ts';

const CATALOG = path.join(DATA_FOLDER, 'catalog');
const SERVERS = [...groupByServer(RANKING_TOOLS)];
const QUERIES = [
  'create issue',
  'send a message',
  'lsit files in folder',
  'weather',
  'search the web for news',
  'read_file',
];
const SLOWEST_MS = 50;
const SAMPLED = 25;
const CATALOG_TIMEOUT_MS = 180_000;

function answers(index: ReturnType<typeof createToolIndex>) {
  return QUERIES.map((query) => index.search(query));
}

function indexOf(servers: readonly (readonly [string, readonly unknown[]])[]) {
  const index = createToolIndex();
  for (const [server, tools] of servers) index.replaceServer(server, tools);
  return index;
}

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('replace', 'replace with other tools', 'remove', 'restore'),
    server: fc.nat({ max: SERVERS.length - 1 }),
  }),
  { maxLength: 25 },
);

describe('ToolIndex', () => {
  test('answers the same whatever order servers were added, changed, removed and restored in', () => {
    const saved = indexOf(SERVERS);
    const expected = answers(saved);
    fc.assert(
      fc.property(steps, fc.shuffledSubarray(SERVERS, { minLength: SERVERS.length }), (changes, last) => {
        const index = createToolIndex();
        for (const { kind, server } of changes) {
          const [name, tools] = SERVERS[server] ?? ['', []];
          if (kind === 'replace') index.replaceServer(name, tools);
          else if (kind === 'remove') index.removeServer(name);
          else if (kind === 'restore')
            index.restoreServer(name, saved.serializeServer(name) ?? new Uint8Array());
          else index.replaceServer(name, [{ name: 'other_tool', description: 'create search weather' }]);
        }
        for (const [name, tools] of last) index.replaceServer(name, tools);
        expect(answers(index)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  test('sliced indexing ends in the same index, and gives way to a later change', async () => {
    const index = createToolIndex();
    for (const [server, tools] of SERVERS) await index.replaceServerInSlices(server, tools);
    expect(answers(index)).toEqual(answers(indexOf(SERVERS)));
    const many = Array.from({ length: 3_000 }, (_, i) => ({
      name: `tool_${i}`,
      description: 'many words '.repeat(20),
    }));
    const overtaken = index.replaceServerInSlices('many', many);
    index.replaceServer('many', [{ name: 'latest' }]);
    await overtaken;
    expect(index.search('', { server: 'many' }).map((hit) => hit.name)).toEqual(['latest']);
  });

  test('ignores a persisted form that is damaged, cut short or empty', () => {
    const index = indexOf(SERVERS);
    const [server] = SERVERS[0] ?? [''];
    const bytes = index.serializeServer(server) ?? new Uint8Array();
    fc.assert(
      fc.property(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = Uint8Array.from(bytes);
        damaged[at] = (damaged[at] ?? 0) ^ change;
        expect(createToolIndex().restoreServer(server, damaged)).toBe(false);
      }),
      { numRuns: 200 },
    );
    expect(createToolIndex().restoreServer(server, bytes.subarray(0, bytes.length - 4))).toBe(false);
    expect(createToolIndex().restoreServer(server, new Uint8Array())).toBe(false);
    expect(createToolIndex().restoreServer(server, bytes)).toBe(true);
  });

  test('more hits asked for begin with the hits of fewer, and score the same', () => {
    const many = Array.from({ length: 70 }, (_, i) => ({
      name: `copy_archive_${i}`,
      description: 'Search and copy the archive to cold storage',
    }));
    const index = indexOf([
      ...SERVERS,
      ['a', [{ name: 'search', description: 'Find things' }]],
      ['z', [{ name: 'search', description: 'Search: find things, search again' }]],
      ['many', many],
    ]);
    for (const query of [...QUERIES, '"search" then copy the archive to cold storage', 'copy archive 7']) {
      const all = index.search(query, { limit: 300 });
      for (const limit of [1, 5, 60, 80])
        expect(index.search(query, { limit }), query).toEqual(all.slice(0, limit));
    }
    expect(index.explain('"search" then copy the archive to cold storage', { limit: 1 })[0]).toMatchObject({
      isNamed: true,
      learned: expect.any(Number),
    });
  });

  test('a word said often says no more, and a longer text less', () => {
    const twins = (times: number) => [
      { name: 'dispatch', description: 'Send email to people.' },
      { name: 'convey', description: 'Send email to people. '.repeat(times) },
    ];
    // What the two names mean counts, and is the same whatever the descriptions repeat.
    const leadOfRepeated = (times: number) => {
      const hits = indexOf([['mail', twins(times)]]).search('send email to people');
      const scoreOf = (tool: string) => hits.find(({ name }) => name === tool)?.score ?? 0;
      return scoreOf('convey') / scoreOf('dispatch');
    };
    for (const times of [5, 20, 80]) {
      expect(leadOfRepeated(times), String(times)).toBeLessThan(leadOfRepeated(1));
    }
  });

  test('a description stuffed with words gains nothing', () => {
    const words = RANKING_TOOLS.flatMap(({ name, description }) => [
      name.replaceAll('_', ' '),
      description,
    ]).join(' ');
    const index = indexOf(SERVERS);
    const before = QUERIES.map((query) => index.search(query)[0]?.name);
    index.replaceServer('spam', [{ name: 'best_tool', description: `${words} `.repeat(5) }]);
    expect(QUERIES.map((query) => index.search(query)[0]?.name)).toEqual(before);
  });
});

describe('odd queries', () => {
  const catalog: readonly ListedTool[] = readCatalog(CATALOG);
  const index = indexOf([...groupByServer(catalog.length > 0 ? catalog : RANKING_TOOLS)]);
  const odd = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 10_000 }),
    fc.string({ unit: 'grapheme', maxLength: 2_000 }),
    fc.constantFrom('x'.repeat(10_000), 'list issue '.repeat(900), '🚀'.repeat(3_000), 'a/b__'.repeat(2_000)),
    fc.constantFrom('C++ (foo', '[a-z', '\\', '"quoted', 'a:b^2~', '__proto__ constructor', '\0', 'the of'),
    fc
      .array(fc.constantFrom('create', 'isue', 'zzqx', 'Kalender', '日本語', '"a"', '/x/y', 'a@b.c'), {
        maxLength: 500,
      })
      .map((words) => words.join(' ')),
  );

  test('never throw, and never take long', () => {
    index.search('warm up with some words that are not konwn');
    fc.assert(
      fc.property(odd, (query) => {
        // A first run may pay for compilation; what a query costs shows when it is asked again.
        const ask = () => index.query(query, { limit: 5 });
        const cost = Math.min(cpuMs(ask), cpuMs(ask));
        expect(cost).toBeLessThan(SLOWEST_MS);
      }),
      { numRuns: 150 },
    );
  });
});

describe.skipIf(!existsSync(CATALOG))(
  'every tool of the catalog (skipped where the data folder is not there)',
  () => {
    const catalog = readCatalog(CATALOG);
    const servers = [...groupByServer(catalog)];
    // Names come before scores in every mode: all tools with the cheapest one, a sample with all stages.
    const cheap = createToolIndex({ mode: 'words' });
    for (const [server, tools] of servers) cheap.replaceServer(server, tools);
    const complete = indexOf(servers);

    test(
      'is first for its name, and for its name with the server',
      () => {
        const holders = countBy(catalog, ({ name }) => name);
        const missed = catalog.flatMap(({ server, name }, i) => {
          const index = i % SAMPLED === 0 ? complete : cheap;
          const found: string[] = [];
          const first = index.search(name, { limit: holders.get(name) ?? 1 });
          if (!first.some((hit) => hit.name === name && hit.server === server)) found.push(name);
          for (const query of [`${server}/${name}`, `${server}__${name}`]) {
            const [hit] = index.search(query, { limit: 1 });
            if (hit?.name !== name || hit.server !== server) found.push(query);
          }
          return found;
        });
        expect(missed).toEqual([]);
      },
      CATALOG_TIMEOUT_MS,
    );

    test(
      'is first for its name in plain words where no other tool has these words',
      () => {
        const holders = countBy(catalog, ({ name }) => splitWords(name).join(' '));
        const missed = catalog.filter(({ server, name }, i) => {
          const index = i % SAMPLED === 0 ? complete : cheap;
          const words = splitWords(name).join(' ');
          const [hit] = index.search(words, { limit: 1 });
          return holders.get(words) === 1 && (hit?.name !== name || hit.server !== server);
        });
        expect(missed.map(({ server, name }) => `${server}/${name}`)).toEqual([]);
      },
      CATALOG_TIMEOUT_MS,
    );
  },
);

function cpuMs(run: () => void): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

function countBy(tools: readonly ListedTool[], key: (tool: ListedTool) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const tool of tools) counts.set(key(tool), (counts.get(key(tool)) ?? 0) + 1);
  return counts;
}
