/**
 * Makes `src/search/rank/weights.json`, the learned part of ranking, then (without `--only`) states what the learning
 * is worth on what it has not seen: every family of public sets, every setup of requests and every server's plain
 * things are ranked with weights and word counts made from the others alone. Same data, same weights.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { idOf } from '../../src/search/rank/exact-first.ts';
import { FEATURES, featureTable } from '../../src/search/rank/feature-table.ts';
import type { Model } from '../../src/search/rank/model.ts';
import { type Background, backgroundOf, encodeWords } from '../../src/search/words/word-background.ts';
import type { RankedQuery } from './examples.ts';
import { blend, type Example, learn, rankRows } from './learn.ts';
import { type Metrics, measure } from './metrics.ts';
import { DATA_FOLDER } from './sets.ts';
import { FOLDS, foldsByTool, readTrainingSets, type TrainingSet } from './training-sets.ts';
import { type Measured, printUnseen } from './unseen.ts';
import { countWords } from './word-counts.ts';

const OPTIONS = { units: 4, epochs: 8, rate: 0.005, decay: 1e-3 };
/** Of the models that are blended; one alone where the unseen is measured, which is a little less. */
const SEEDS = [1, 2, 3];
/** Training starts from the first stage's own score. */
const PRIOR = FEATURES.map((feature) => (feature === 'lexicalPerIdf' ? 8 : feature === 'meaning' ? 5 : 0));
/** How much of a public query's weight goes to ranking it among the tools of all sets. */
const POOL_SHARE = 0.3;
const DIGITS = 4;

const sets = readTrainingSets(DATA_FOLDER);
if (sets === undefined) {
  console.log(`No retrieval sets or no catalog at ${DATA_FOLDER}: weights left as they are.`);
} else {
  const words = countWords(counted(sets));
  const model = round(trainOn(sets, backgroundOf(words), () => true, SEEDS));
  const file = path.resolve('src/search/rank/weights.json');
  writeFileSync(file, `${JSON.stringify({ features: FEATURES, model, words: encodeWords(words) })}\n`);
  console.log(`${file}: ${words.size} words, ${OPTIONS.units * SEEDS.length} units`);
  if (!process.argv.includes('--only')) printUnseen(leaveOneFoldOut(sets));
}

function leaveOneFoldOut(all: readonly TrainingSet[]): Measured[] {
  const folds = foldsByTool(all);
  return Array.from({ length: FOLDS }, (_, fold) => fold).flatMap((fold) => {
    const others = all.filter((one) => one.fold !== fold);
    const background = backgroundOf(countWords(counted(others)));
    const isKnown = (tool: string) => [...(folds.get(tool) ?? [])].some((one) => one !== fold);
    const model = trainOn(others, background, isKnown, SEEDS.slice(0, 1));
    const metrics = (queries: readonly RankedQuery[]) =>
      queries.map((query) => rerank(query, model, background));
    return all
      .filter((one) => one.fold === fold)
      .map(({ kind, set, alone, pooled }) => ({ kind, set, alone: metrics(alone), pooled: metrics(pooled) }));
  });
}

/** The sets whose words are counted: plain things and setups ask what the catalog's requests ask. */
function counted(all: readonly TrainingSet[]): TrainingSet['set'][] {
  return all.filter(({ kind }) => kind === 'public' || kind === 'catalog').map(({ set }) => set);
}

/** Tools that are not known are left out of the pool: what they look like must not be learned. */
function trainOn(
  learned: readonly TrainingSet[],
  background: Background,
  isKnown: (tool: string) => boolean,
  seeds: readonly number[],
): Model {
  const examples = learned.flatMap(({ alone, pooled, weight }) => {
    const share = pooled.length === 0 ? 0 : POOL_SHARE;
    return [
      ...alone.map((query) => exampleOf(query, background, weight * (1 - share), () => true)),
      ...pooled.map((query) => exampleOf(query, background, weight * share, isKnown)),
    ];
  });
  return blend(seeds.map((seed) => learn(examples, FEATURES.length, { ...OPTIONS, seed, prior: PRIOR })));
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

function tableOf({ read, evidence, weights, meaning }: RankedQuery, background: Background): Float64Array {
  return featureTable(read, evidence, weights, background, meaning);
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
