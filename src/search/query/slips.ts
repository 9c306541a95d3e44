const ROW = 64;
const rows = [new Uint8Array(ROW), new Uint8Array(ROW), new Uint8Array(ROW)];

/** Insertions, deletions, replacements and swaps of neighbours between two words; more than `limit` is Infinity. */
export function countSlips(a: string, b: string, limit: number): number {
  const isTooFar = Math.abs(a.length - b.length) > limit || b.length >= ROW;
  if (isTooFar) return Number.POSITIVE_INFINITY;
  let [beforeLast, last, row] = rows as [Uint8Array, Uint8Array, Uint8Array];
  for (let j = 0; j <= b.length; j++) last[j] = j;
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    let least = i;
    const letter = a.charCodeAt(i - 1);
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (letter === b.charCodeAt(j - 1) ? 0 : 1);
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced);
      const isSwapped =
        i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (isSwapped) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > limit) return Number.POSITIVE_INFINITY;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  const slips = last[b.length] ?? Number.POSITIVE_INFINITY;
  return slips <= limit ? slips : Number.POSITIVE_INFINITY;
}
