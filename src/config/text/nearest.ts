/** The candidates, most alike first. */
export function nearestFirst(wanted: string, candidates: readonly string[]): string[] {
  const distances = new Map(candidates.map((candidate) => [candidate, distance(wanted, candidate)]));
  return [...candidates].sort((one, other) => (distances.get(one) ?? 0) - (distances.get(other) ?? 0));
}

/** The candidate that was probably meant, if any is close enough. */
export function nearest(wanted: string, candidates: readonly string[]): string | undefined {
  let [best, least]: [string | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  const { length } = plain(wanted);
  for (const candidate of candidates) {
    const most = Math.max(1, Math.floor(candidate.length / 3));
    if (Math.abs(plain(candidate).length - length) > most) continue;
    const letters = distance(wanted, candidate);
    if (letters <= most && letters < least) [best, least] = [candidate, letters];
  }
  return best;
}

/** Letters to insert, delete, replace or swap with their neighbour; case and separators do not count. */
function distance(one: string, other: string): number {
  const [a, b] = [plain(one), plain(other)];
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let least = Math.min(
        at(above, column) + 1,
        at(line, column - 1) + 1,
        at(above, column - 1) + (same ? 0 : 1),
      );
      const swapped = row > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) least = Math.min(least, at(before, column - 2) + 1);
      line.push(least);
    }
    [before, above] = [above, line];
  }
  return at(above, b.length);
}

function at(line: readonly number[], column: number): number {
  return line[column] ?? Number.POSITIVE_INFINITY;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[-_ ]/g, '');
}
