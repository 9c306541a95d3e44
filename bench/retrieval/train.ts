/**
 * Makes `src/search/weights.json`, the learned part of ranking, from the development queries and tool lists of
 * `bench/retrieval/sets.ts`. First it states what the learning is worth on sets it has not seen: every family of
 * sets is ranked with weights and word counts made from the others alone. Same data, same weights.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Background, backgroundOf, encodeWords } from '../../src/search/background.ts';
import { FEATURES, featureTable } from '../../src/search/feature-vector.ts';
import type { Model } from '../../src/search/model.ts';
import { type RankedQuery, rankQueries } from './examples.ts';
import { blend, type Example, learn, rankRows } from './learn.ts';
import { type Metrics, meanOf, measure } from './metrics.ts';
import { DATA_FOLDER, familyOf, type QuerySet, readSets } from './sets.ts';
import { countWords } from './word-counts.ts';

const CANDIDATES = 100;
const OPTIONS = { units: 4, epochs: 8, rate: 0.005, decay: 1e-4 };
const SEEDS = [1, 2, 3];
/** Training starts from the first stage's own score. */
const PRIOR = FEATURES.map((feature) => (feature === 'lexicalPerIdf' ? 8 : 0));
const DIGITS = 4;

const folder = path.join(DATA_FOLDER, 'retrieval');
const sets = readSets(folder);
if (sets === undefined) console.log(`No retrieval sets at ${folder}: weights left as they are.`);
else {
  const ranked = new Map(sets.map((set) => [set.name, rankQueries(set, CANDIDATES)]));
  leaveOneFamilyOut(sets, ranked);
  const words = countWords(sets);
  const model = round(trainOn(sets, ranked, backgroundOf(words)));
  const file = path.resolve('src/search/weights.json');
  writeFileSync(file, `${JSON.stringify({ features: FEATURES, model, words: encodeWords(words) })}\n`);
  console.log(`${file}: ${words.size} words, ${OPTIONS.units * SEEDS.length} units`);
}

function leaveOneFamilyOut(all: readonly QuerySet[], ranked: ReadonlyMap<string, RankedQuery[]>): void {
  const results: Metrics[] = [];
  for (const family of new Set(all.map((set) => familyOf(set.name)))) {
    const others = all.filter((set) => familyOf(set.name) !== family);
    const background = backgroundOf(countWords(others));
    const model = trainOn(others, ranked, background);
    for (const { name } of all.filter((set) => familyOf(set.name) === family)) {
      const mean = meanOf((ranked.get(name) ?? []).map((query) => rerank(query, model, background)));
      results.push(mean);
      print(name, mean);
    }
  }
  print('unseen, mean', meanOf(results));
}

function trainOn(
  all: readonly QuerySet[],
  ranked: ReadonlyMap<string, RankedQuery[]>,
  background: Background,
): Model {
  const examples: Example[] = all.flatMap(({ name, queries }) =>
    (ranked.get(name) ?? []).map((query) => ({
      rows: rowsOf(query, background),
      isRight: query.isRight,
      // Between every query and every set counting the same.
      weight: 20 / Math.sqrt(queries.length),
    })),
  );
  return blend(SEEDS.map((seed) => learn(examples, FEATURES.length, { ...OPTIONS, seed, prior: PRIOR })));
}

function rerank(query: RankedQuery, model: Model, background: Background): Metrics {
  const order = rankRows(model, tableOf(query, background));
  return measure(
    query.query,
    order.flatMap((i) => query.tools[i] ?? []),
  );
}

function rowsOf(query: RankedQuery, background: Background): Float64Array[] {
  const table = tableOf(query, background);
  return query.tools.map((_, row) => table.subarray(row * FEATURES.length, (row + 1) * FEATURES.length));
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
