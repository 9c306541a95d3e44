/** A component of a unit vector is this many times larger as a signed byte; hardly one is above a half. */
const SCALE = 254;

/** The direction of a vector as signed bytes; all zero where it has none. */
export function toUnit(sum: Float64Array): Int8Array {
  let squares = 0;
  for (let i = 0; i < sum.length; i++) squares += (sum[i] ?? 0) ** 2;
  const factor = squares === 0 ? 0 : SCALE / Math.sqrt(squares);
  const unit = new Int8Array(sum.length);
  for (let i = 0; i < sum.length; i++) {
    unit[i] = Math.max(-127, Math.min(127, Math.round((sum[i] ?? 0) * factor)));
  }
  return unit;
}

/** The cosine of `vector` with the one that begins at `from` in `vectors`, or the part of it that its first numbers make. */
export function cosine(vector: Int8Array, vectors: Int8Array, from: number, numbers = vector.length): number {
  // Whole numbers in four sums that do not wait for each other: a search compares with every tool.
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let i = 0; i < numbers; i += 4) {
    const at = from + i;
    a = (a + Math.imul(vector[i] ?? 0, vectors[at] ?? 0)) | 0;
    b = (b + Math.imul(vector[i + 1] ?? 0, vectors[at + 1] ?? 0)) | 0;
    c = (c + Math.imul(vector[i + 2] ?? 0, vectors[at + 2] ?? 0)) | 0;
    d = (d + Math.imul(vector[i + 3] ?? 0, vectors[at + 3] ?? 0)) | 0;
  }
  return (a + b + c + d) / (SCALE * SCALE);
}
