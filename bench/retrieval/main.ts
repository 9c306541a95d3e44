/** Measures ranking, speed, memory and answer sizes, every ranker in the same run. Run with `npm run bench:retrieval`. */
import path from 'node:path';
import { type Metrics, meanOf, measure } from './metrics.ts';
import { RANKERS, type Ranker } from './rankers.ts';
import {
  CATALOG,
  DATA_FOLDER,
  type ListedTool,
  poolOf,
  type QuerySet,
  readCatalogSet,
  readSets,
} from './sets.ts';
import { measureRestore, measureSpeed, multiply } from './speed.ts';
import { measureAnswers } from './tokens.ts';

const DEPTH = 10;
const SPEED_QUERIES = 300;
const ANSWER_QUERIES = 300;
/** Most queries of a set in the pool: the slower rankers would take many minutes for all. */
const POOL_QUERIES = 150;
const SIZES = [10_000, 50_000];

const folder = path.join(DATA_FOLDER, 'retrieval');
const sets = readSets(folder);
if (sets === undefined) console.log(`No retrieval sets at ${folder}: nothing to measure.`);
else {
  const own = readCatalogSet(path.join(DATA_FOLDER, 'catalog'));
  const catalog = own?.tools ?? [];
  for (const ranker of RANKERS) {
    printRanking(ranker, sets);
    if (own !== undefined) printRow(CATALOG, rankSet(ranker, own));
  }
  console.log('\nAll tools in one pool');
  const pool = poolOf(sets);
  for (const ranker of RANKERS) printPool(ranker, pool, sets);
  const queries = sample(sets, SPEED_QUERIES);
  if (catalog.length > 0) {
    printSpeed('catalog', catalog, queries);
    const { bytes, restoreMs, firstMs } = measureRestore(catalog);
    console.log(
      `persisted ${(bytes / 1024).toFixed(0)} kB, restored in ${ms(restoreMs)}, first search ${ms(firstMs)}`,
    );
    for (const detail of ['full', 'brief'] as const) {
      console.log(`answers, ${detail}:`, measureAnswers(catalog, sample(sets, ANSWER_QUERIES), detail));
    }
  }
  for (const size of SIZES) printSpeed(`${size} tools`, multiply(pool, size), queries.slice(0, 100));
}

function printRanking(ranker: Ranker, all: readonly QuerySet[]): void {
  console.log(`\n${ranker.name.padEnd(20)}   R@1   R@5  R@10   MRR nDCG5`);
  const means = all.map((set) => {
    const mean = rankSet(ranker, set);
    printRow(set.name, mean);
    return mean;
  });
  printRow('MACRO', meanOf(means));
}

function rankSet(ranker: Ranker, { tools, queries }: QuerySet): Metrics {
  const search = ranker.index(tools);
  return meanOf(queries.map((query) => measure(query, search(query.query, DEPTH))));
}

function printPool(ranker: Ranker, pool: readonly ListedTool[], all: readonly QuerySet[]): void {
  const search = ranker.index(pool);
  const means = all.map(({ queries }) =>
    meanOf(thin(queries, POOL_QUERIES).map((query) => measure(query, search(query.query, DEPTH)))),
  );
  printRow(ranker.name, meanOf(means));
}

function printSpeed(label: string, tools: readonly ListedTool[], queries: readonly string[]): void {
  console.log(
    `\n${label} (${tools.length}): processor time to index 1,000 tools, to search p50, p95; passed p50, p95; memory`,
  );
  for (const ranker of RANKERS) {
    const { indexMsPer1000, p50, p95, p50Passed, p95Passed, megabytes } = measureSpeed(
      ranker,
      tools,
      queries,
    );
    const times = [indexMsPer1000, p50, p95, p50Passed, p95Passed].map(ms);
    console.log(ranker.name.padEnd(20), ...times, `${megabytes.toFixed(1)} MB`);
  }
}

function printRow(name: string, { r1, r5, r10, mrr, ndcg5 }: Metrics): void {
  console.log(
    name.padEnd(20),
    ...[r1, r5, r10, mrr, ndcg5].map((value) => (100 * value).toFixed(1).padStart(5)),
  );
}

function ms(value: number): string {
  return `${value.toFixed(2)} ms`;
}

function sample(all: readonly QuerySet[], count: number): string[] {
  return thin(
    all.flatMap((set) => set.queries.map(({ query }) => query)),
    count,
  );
}

/** Evenly spread over the list. */
function thin<T>(list: readonly T[], count: number): T[] {
  const step = Math.max(list.length / count, 1);
  return list.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
}
