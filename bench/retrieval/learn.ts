import { type Model, scorerOf } from '../../src/search/rank/model.ts';

/** The candidates of one query: features, and which of them are right. */
export interface Example {
  readonly rows: readonly Float64Array[];
  readonly isRight: readonly boolean[];
  readonly weight: number;
}

export interface LearnOptions {
  readonly units: number;
  readonly epochs: number;
  readonly rate: number;
  readonly decay: number;
  readonly seed: number;
  /** Where the linear weights start: what a good ranking already is, so that few epochs suffice. */
  readonly prior: readonly number[];
}

const BATCH = 32;
const NEGLIGIBLE_SHARE = 3e-4;

/** Fits a model to a listwise loss (cross-entropy of a softmax over each query's candidates) with Adam. */
export function learn(examples: readonly Example[], features: number, options: LearnOptions): Model {
  const random = randomNumbers(options.seed);
  const parameters = initialParameters(features, options, random);
  const gradient = new Float64Array(parameters.length);
  const first = new Float64Array(parameters.length);
  const second = new Float64Array(parameters.length);
  const usable = examples.filter(({ isRight }) => isRight.includes(true) && isRight.includes(false));
  const order = usable.map((_, i) => i);
  let step = 0;
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    shuffle(order, random);
    const rate = options.rate * (1 - epoch / options.epochs) + options.rate / 50;
    for (let start = 0; start < order.length; start += BATCH) {
      gradient.fill(0);
      const batch = order.slice(start, start + BATCH);
      for (const i of batch) {
        const example = usable[i];
        if (example !== undefined)
          addGradient(example, parameters, { features, units: options.units }, gradient, batch.length);
      }
      step++;
      for (let p = 0; p < parameters.length; p++) {
        const slope = (gradient[p] ?? 0) + options.decay * (parameters[p] ?? 0);
        first[p] = 0.9 * (first[p] ?? 0) + 0.1 * slope;
        second[p] = 0.999 * (second[p] ?? 0) + 0.001 * slope * slope;
        const mean = (first[p] ?? 0) / (1 - 0.9 ** step);
        const spread = Math.sqrt((second[p] ?? 0) / (1 - 0.999 ** step)) + 1e-8;
        parameters[p] = (parameters[p] ?? 0) - (rate * mean) / spread;
      }
    }
  }
  return toModel(parameters, features, options.units);
}

/**
 * Layout: feature by feature the weights of all units and, last, the linear one; then the units' biases; then their
 * output weights.
 */
function initialParameters(
  features: number,
  { units, prior }: LearnOptions,
  random: () => number,
): Float64Array {
  const parameters = new Float64Array(features * (units + 1) + 2 * units);
  for (let i = 0; i < parameters.length; i++) parameters[i] = ((random() - 0.5) * 0.8) / Math.sqrt(features);
  for (let f = 0; f < features; f++) parameters[f * (units + 1) + units] = prior[f] ?? 0;
  return parameters;
}

interface Shape {
  readonly features: number;
  readonly units: number;
}

function addGradient(
  { rows, isRight, weight }: Example,
  parameters: Float64Array,
  { features, units }: Shape,
  gradient: Float64Array,
  batch: number,
): void {
  const width = units + 1;
  const biases = features * width;
  const outputs = biases + units;
  const sums = new Float64Array(rows.length * width);
  const scores = rows.map((row, candidate) =>
    activate(row, parameters, { features, units }, sums.subarray(candidate * width, (candidate + 1) * width)),
  );
  const highest = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - highest));
  const sum = odds.reduce((total, value) => total + value, 0);
  const right = isRight.filter(Boolean).length;
  const slopes = new Float64Array(width);
  rows.forEach((row, candidate) => {
    const target = isRight[candidate] === true ? 1 / right : 0;
    const slope = (((odds[candidate] ?? 0) / sum - target) * weight) / batch;
    // Most candidates are far from being first: what they would change is lost in what the others do.
    if (isRight[candidate] !== true && (odds[candidate] ?? 0) < NEGLIGIBLE_SHARE * sum) return;
    slopes[units] = slope;
    for (let unit = 0; unit < units; unit++) {
      const activation = sums[candidate * width + unit] ?? 0;
      const inner = slope * (parameters[outputs + unit] ?? 0) * (1 - activation * activation);
      slopes[unit] = inner;
      gradient[biases + unit] = (gradient[biases + unit] ?? 0) + inner;
      gradient[outputs + unit] = (gradient[outputs + unit] ?? 0) + slope * activation;
    }
    for (let f = 0; f < features; f++) {
      const value = row[f] ?? 0;
      if (value === 0) continue;
      for (let i = 0; i < width; i++)
        gradient[f * width + i] = (gradient[f * width + i] ?? 0) + (slopes[i] ?? 0) * value;
    }
  });
}

/** The score of a row; leaves the activations of the units in `sums`. */
function activate(
  row: Float64Array,
  parameters: Float64Array,
  { features, units }: Shape,
  sums: Float64Array,
): number {
  const width = units + 1;
  const biases = features * width;
  const outputs = biases + units;
  for (let unit = 0; unit < units; unit++) sums[unit] = parameters[biases + unit] ?? 0;
  for (let f = 0; f < features; f++) {
    const value = row[f] ?? 0;
    if (value === 0) continue;
    for (let i = 0; i < width; i++) sums[i] = (sums[i] ?? 0) + (parameters[f * width + i] ?? 0) * value;
  }
  let score = sums[units] ?? 0;
  for (let unit = 0; unit < units; unit++) {
    const activation = Math.tanh(sums[unit] ?? 0);
    sums[unit] = activation;
    score += activation * (parameters[outputs + unit] ?? 0);
  }
  return score;
}

function toModel(parameters: Float64Array, features: number, units: number): Model {
  const weightsOf = (i: number) =>
    Array.from({ length: features }, (_, f) => parameters[f * (units + 1) + i] ?? 0);
  const biases = features * (units + 1);
  return {
    linear: weightsOf(units),
    hidden: Array.from({ length: units }, (_, unit) => weightsOf(unit)),
    bias: Array.from(parameters.subarray(biases, biases + units)),
    output: Array.from(parameters.subarray(biases + units)),
  };
}

/** The mean of several models' scores, as one model. */
export function blend(models: readonly Model[]): Model {
  const share = 1 / models.length;
  const features = models[0]?.linear.length ?? 0;
  return {
    linear: Array.from({ length: features }, (_, f) =>
      models.reduce((sum, model) => sum + (model.linear[f] ?? 0) * share, 0),
    ),
    hidden: models.flatMap((model) => model.hidden),
    bias: models.flatMap((model) => model.bias),
    output: models.flatMap((model) => model.output.map((weight) => weight * share)),
  };
}

/** The places of a table's rows, best first. */
export function rankRows(model: Model, table: Float64Array): number[] {
  const scores = scorerOf(model)(table);
  return scores.map((_, i) => i).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
}

function shuffle(order: number[], random: () => number): void {
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
  }
}

/** Mulberry32: the same numbers on every machine. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
