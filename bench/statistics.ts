/** The value below which the share `q` (0 to 1) of the samples lies. */
export function quantile(samples: readonly number[], q: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
  if (value === undefined) throw new Error('no samples');
  return value;
}

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}

/** `items` starting at position `turn`, so that no variant is always first in an interleaved round. */
export function rotate<T>(items: readonly T[], turn: number): T[] {
  const first = turn % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}
