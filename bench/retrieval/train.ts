/**
 * Makes `src/search/rank/weights.json`, the learned part of ranking, from the development queries and tool lists of
 * `bench/retrieval/sets.ts`. First it states what the learning is worth on sets it has not seen: every family of
 * sets is ranked with weights and word counts made from the others alone. Same data, same weights.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { idOf } from '../../src/search/rank/exact-first.ts';
import { FEATURES, featureTable } from '../../src/search/rank/feature-table.ts';
import type { Model } from '../../src/search/rank/model.ts';
import { RERANKED } from '../../src/search/rank/rerank.ts';
import { type Background, backgroundOf, encodeWords } from '../../src/search/words/word-background.ts';
import { collect, type RankedQuery, rankQueries } from './examples.ts';
import { blend, type Example, learn, rankRows } from './learn.ts';
import { type Metrics, meanOf, measure } from './metrics.ts';
import { CATALOG, DATA_FOLDER, familyOf, poolOf, type QuerySet, readCatalogSet, readSets } from './sets.ts';
import { countWords } from './word-counts.ts';

const OPTIONS = { units: 4, epochs: 8, rate: 0.005, decay: 1e-4 };
const SEEDS = [1, 2, 3];
/** Training starts from the first stage's own score. */
const PRIOR = FEATURES.map((feature) => (feature === 'lexicalPerIdf' ? 8 : 0));
/** How much of a query's weight goes to ranking it among the tools of all sets. */
const POOL_SHARE = 0.3;
const DIGITS = 4;

/** A set with its queries ranked by the first stage, among its own tools and among those of all sets. */
interface RankedSet {
  readonly set: QuerySet;
  readonly family: string;
  readonly alone: readonly RankedQuery[];
  /** None for the catalog, which is many servers already. */
  readonly pooled: readonly RankedQuery[];
}

const folder = path.join(DATA_FOLDER, 'retrieval');
const sets = readSets(folder);
const catalog = readCatalogSet(path.join(DATA_FOLDER, 'catalog'));
if (sets === undefined || catalog === undefined) {
  console.log(`No retrieval sets or no catalog at ${DATA_FOLDER}: weights left as they are.`);
} else {
  const ranked = rankAll(sets, catalog);
  const families = familiesByTool(sets);
  leaveOneFamilyOut(ranked, families);
  const words = countWords(ranked.map(({ set }) => set));
  const model = round(trainOn(ranked, backgroundOf(words), () => true));
  const file = path.resolve('src/search/rank/weights.json');
  writeFileSync(file, `${JSON.stringify({ features: FEATURES, model, words: encodeWords(words) })}\n`);
  console.log(`${file}: ${words.size} words, ${OPTIONS.units * SEEDS.length} units`);
}

function rankAll(publicSets: readonly QuerySet[], own: QuerySet): RankedSet[] {
  const pool = collect(poolOf(publicSets));
  return [...publicSets, own].map((set) => ({
    set,
    family: familyOf(set.name),
    alone: rankQueries(set.queries, collect(set.tools), RERANKED),
    pooled: set === own ? [] : rankQueries(set.queries, pool, RERANKED),
  }));
}

/** By tool: the families whose lists have it. */
function familiesByTool(all: readonly QuerySet[]): Map<string, Set<string>> {
  const families = new Map<string, Set<string>>();
  for (const { name, tools } of all) {
    for (const tool of tools) {
      const known = families.get(idOf(tool)) ?? new Set();
      families.set(idOf(tool), known.add(familyOf(name)));
    }
  }
  return families;
}

function leaveOneFamilyOut(ranked: readonly RankedSet[], families: ReadonlyMap<string, Set<string>>): void {
  const alone: Metrics[] = [];
  const pooled: Metrics[] = [];
  for (const family of new Set(ranked.map((one) => one.family))) {
    const others = ranked.filter((one) => one.family !== family);
    const background = backgroundOf(countWords(others.map(({ set }) => set)));
    const isKnown = (tool: string) => [...(families.get(tool) ?? [])].some((one) => one !== family);
    const model = trainOn(others, background, isKnown);
    for (const one of ranked.filter((set) => set.family === family)) {
      const metrics = meanOf(one.alone.map((query) => rerank(query, model, background)));
      print(one.set.name, metrics);
      if (family === CATALOG) continue;
      alone.push(metrics);
      const among = meanOf(one.pooled.map((query) => rerank(query, model, background)));
      print('  in the pool', among);
      pooled.push(among);
    }
  }
  print('unseen, mean', meanOf(alone));
  print('  in the pool', meanOf(pooled));
}

/** Tools that are not known are left out of the pool: what they look like must not be learned. */
function trainOn(
  ranked: readonly RankedSet[],
  background: Background,
  isKnown: (tool: string) => boolean,
): Model {
  const examples = ranked.flatMap(({ alone, pooled }) => {
    // Between every query and every set counting the same.
    const weight = 20 / Math.sqrt(alone.length);
    const share = pooled.length === 0 ? 0 : POOL_SHARE;
    return [
      ...alone.map((query) => exampleOf(query, background, weight * (1 - share), () => true)),
      ...pooled.map((query) => exampleOf(query, background, weight * share, isKnown)),
    ];
  });
  return blend(SEEDS.map((seed) => learn(examples, FEATURES.length, { ...OPTIONS, seed, prior: PRIOR })));
}

function exampleOf(
  query: RankedQuery,
  background: Background,
  weight: number,
  isKnown: (tool: string) => boolean,
): Example {
  const table = tableOf(query, background);
  const rows = query.tools.map((_, row) =>
    table.subarray(row * FEATURES.length, (row + 1) * FEATURES.length),
  );
  const kept = query.tools.map((tool) => isKnown(idOf(tool)));
  return {
    rows: rows.filter((_, row) => kept[row]),
    isRight: query.isRight.filter((_, row) => kept[row]),
    weight,
  };
}

function rerank(query: RankedQuery, model: Model, background: Background): Metrics {
  const order = rankRows(model, tableOf(query, background));
  return measure(
    query.query,
    order.flatMap((i) => query.tools[i] ?? []),
  );
}

function tableOf({ read, evidence, weights }: RankedQuery, background: Background): Float64Array {
  return featureTable(read, evidence, weights, background);
}

function round({ linear, hidden, bias, output }: Model): Model {
  const rounded = (values: readonly number[]) => values.map((value) => Number(value.toFixed(DIGITS)));
  return {
    linear: rounded(linear),
    hidden: hidden.map(rounded),
    bias: rounded(bias),
    output: rounded(output),
  };
}

function print(name: string, { r1, r5, r10 }: Metrics): void {
  console.log(name.padEnd(16), ...[r1, r5, r10].map((value) => (100 * value).toFixed(1).padStart(6)));
}
