/** A linear part and a small layer of tanh units over the same features. */
export interface Model {
  readonly linear: readonly number[];
  /** One row of input weights for each unit. */
  readonly hidden: readonly (readonly number[])[];
  readonly bias: readonly number[];
  readonly output: readonly number[];
}

/** Makes the function that scores a row of features. */
export function scorerOf(model: Model): (row: Float64Array) => number {
  const linear = Float64Array.from(model.linear);
  const units = model.hidden.map((weights, unit) => ({
    weights: Float64Array.from(weights),
    bias: model.bias[unit] ?? 0,
    output: model.output[unit] ?? 0,
  }));
  return (row) => {
    let score = dot(linear, row);
    for (const { weights, bias, output } of units) score += output * Math.tanh(dot(weights, row) + bias);
    return score;
  };
}

function dot(weights: Float64Array, row: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += (weights[i] ?? 0) * (row[i] ?? 0);
  return sum;
}
