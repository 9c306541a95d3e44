/** A linear part and a small layer of tanh units over the same features. */
export interface Model {
  readonly linear: readonly number[];
  /** One row of input weights for each unit. */
  readonly hidden: readonly (readonly number[])[];
  readonly bias: readonly number[];
  readonly output: readonly number[];
}

export function scoreRow(model: Model, row: ArrayLike<number>): number {
  let score = dot(model.linear, row);
  for (let unit = 0; unit < model.hidden.length; unit++) {
    const input = dot(model.hidden[unit] ?? [], row) + (model.bias[unit] ?? 0);
    score += (model.output[unit] ?? 0) * Math.tanh(input);
  }
  return score;
}

function dot(weights: readonly number[], row: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += (weights[i] ?? 0) * (row[i] ?? 0);
  return sum;
}
