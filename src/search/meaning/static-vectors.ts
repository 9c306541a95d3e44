import { readFileSync } from 'node:fs';
import { endOfFirstSentence } from '../words/first-sentence.ts';
import { TokenTable } from './token-table.ts';
import { toUnit } from './unit-vector.ts';

/** As source, at the root of the package, and from one of its chunks. */
const PLACES = ['./token-vectors.bin', '../token-vectors.bin'];
/** Numbers of a vector. */
export const DIMENSIONS = 128;
const MAX_DESCRIPTION_CHARACTERS = 1_500;
const MAX_SUMMARY_CHARACTERS = 400;
const MAX_QUERY_CHARACTERS = 1_000;

let table: TokenTable | undefined | 'missing';

/** The package's table, read at the first call; undefined where the file is missing or of another version. */
export function tokenTable(): TokenTable | undefined {
  table ??= readTable() ?? 'missing';
  return table === 'missing' ? undefined : table;
}

function readTable(): TokenTable | undefined {
  for (const place of PLACES) {
    try {
      const read = TokenTable.read(readFileSync(new URL(place, import.meta.url)));
      if (read?.dimensions === DIMENSIONS) return read;
    } catch {
      // Not there: the next place, or none.
    }
  }
  return undefined;
}

/** What a tool means: its name and first sentence as much as all that is said of it. */
export function toolVector(
  tokens: TokenTable,
  { server, name, description }: { server: string; name: string; description: string },
): Int8Array {
  const { sum, add } = tokens.newSum();
  const text = description.slice(0, MAX_DESCRIPTION_CHARACTERS);
  const end = Math.min(endOfFirstSentence(text), MAX_SUMMARY_CHARACTERS);
  add(name);
  add(text.slice(0, end));
  const brief = ofLengthOne(sum);
  add(server);
  add(text.slice(end));
  const all = ofLengthOne(sum);
  for (let i = 0; i < all.length; i++) all[i] = (all[i] ?? 0) + (brief[i] ?? 0);
  return toUnit(all);
}

export function textVector(tokens: TokenTable, text: string): Int8Array {
  const { sum, add } = tokens.newSum();
  add(text.slice(0, MAX_QUERY_CHARACTERS));
  return toUnit(ofLengthOne(sum));
}

function ofLengthOne(sum: Int32Array): Float64Array {
  let squares = 0;
  for (let i = 0; i < sum.length; i++) squares += (sum[i] ?? 0) ** 2;
  const factor = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  const unit = new Float64Array(sum.length);
  for (let i = 0; i < sum.length; i++) unit[i] = (sum[i] ?? 0) * factor;
  return unit;
}
