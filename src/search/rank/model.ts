/** A linear part and a small layer of tanh units over the same features. */
export interface Model {
  readonly linear: readonly number[];
  /** One row of input weights for each unit. */
  readonly hidden: readonly (readonly number[])[];
  readonly bias: readonly number[];
  readonly output: readonly number[];
}

/** Makes the function that scores the rows of a table of features. */
export function scorerOf({ linear, hidden, bias, output }: Model): (table: Float64Array) => number[] {
  // Feature by feature the weights of all units and, last, the linear one: sums that do not wait for each other.
  const sums = new Float64Array(hidden.length + 1);
  const width = sums.length;
  const weights = Float64Array.from({ length: linear.length * width }, (_, i) => {
    const feature = Math.floor(i / width);
    return (hidden[i % width] ?? linear)[feature] ?? 0;
  });
  const features = linear.length;
  return (table) =>
    Array.from({ length: table.length / features }, (_, row) => scoreAt(table, row * features));

  function scoreAt(table: Float64Array, start: number): number {
    sums.fill(0);
    for (let feature = 0; feature < features; feature++) {
      const value = table[start + feature] ?? 0;
      if (value === 0) continue;
      const at = feature * width;
      for (let i = 0; i < width; i++) sums[i] = (sums[i] ?? 0) + (weights[at + i] ?? 0) * value;
    }
    let score = sums[width - 1] ?? 0;
    for (let unit = 0; unit < width - 1; unit++) {
      score += (output[unit] ?? 0) * Math.tanh((sums[unit] ?? 0) + (bias[unit] ?? 0));
    }
    return score;
  }
}
