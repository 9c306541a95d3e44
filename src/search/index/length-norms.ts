import { FIELD_COUNT } from './fields.ts';

const LENGTH_NORMALISATION = 0.75;
/** Lengths below this have their norm in the table; hardly any field is longer. */
const TABLED = 256;

/** By field and length: what a count is divided by, 1 for a field of average length. The averages follow the table. */
export function tableNorms(averages: readonly number[]): Float64Array {
  const norms = new Float64Array(FIELD_COUNT * (TABLED + 1));
  averages.forEach((average, field) => {
    norms[FIELD_COUNT * TABLED + field] = average;
    for (let length = 0; length < TABLED; length++) norms[field * TABLED + length] = norm(length, average);
  });
  return norms;
}

export function normOf(norms: Float64Array, field: number, length: number): number {
  if (length < TABLED) return norms[field * TABLED + length] ?? 1;
  return norm(length, norms[FIELD_COUNT * TABLED + field] ?? 1);
}

function norm(length: number, average: number): number {
  return 1 - LENGTH_NORMALISATION + LENGTH_NORMALISATION * (length / average);
}
