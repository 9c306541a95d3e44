import { type Metrics, meanOf } from './metrics.ts';
import { type LabelledRequest, STYLES } from './requests.ts';
import type { QuerySet } from './sets.ts';
import type { Kind } from './training-sets.ts';

/** A set as ranked by a model that has learned nothing of it. */
export interface Measured {
  readonly kind: Kind;
  readonly set: QuerySet;
  readonly alone: readonly Metrics[];
  readonly pooled: readonly Metrics[];
}

const LARGE = ['metatool', 'toollinkos', 'toolbench', 'bfcl-live', 'sealtools'];

export function printUnseen(measured: readonly Measured[]): void {
  const ofKind = (kind: Kind) => measured.filter((one) => one.kind === kind);
  const publicSets = ofKind('public');
  for (const { set, alone, pooled } of publicSets) {
    print(set.name, meanOf(alone));
    print('  in the pool', meanOf(pooled));
  }
  print('unseen, mean', meanOf(publicSets.map(({ alone }) => meanOf(alone))));
  const large = publicSets.filter(({ set }) => LARGE.includes(set.name));
  print('five large', meanOf(large.map(({ alone }) => meanOf(alone))));
  print('in the pool', meanOf(publicSets.map(({ pooled }) => meanOf(pooled))));
  for (const { set, alone } of ofKind('catalog')) print(set.name, meanOf(alone));
  printStyles('given requests', ofKind('given'));
  printStyles('own requests', ofKind('own'));
  const plain = ofKind('plain').flatMap(({ alone }) => alone);
  print('plain, server', meanOf(plain.filter((_, i) => i % 2 === 0)));
  print('plain, none', meanOf(plain.filter((_, i) => i % 2 === 1)));
}

function printStyles(name: string, measured: readonly Measured[]): void {
  const all = measured.flatMap(({ set, alone }) =>
    alone.map((metrics, i) => ({ metrics, style: (set.queries[i] as LabelledRequest | undefined)?.style })),
  );
  if (all.length === 0) return;
  print(name, meanOf(all.map(({ metrics }) => metrics)));
  for (const style of STYLES) {
    const mine = all.filter((one) => one.style === style);
    print(`  ${style} ${mine.length}`, meanOf(mine.map(({ metrics }) => metrics)));
  }
}

function print(name: string, { r1, r5, r10 }: Metrics): void {
  console.log(name.padEnd(16), ...[r1, r5, r10].map((value) => (100 * value).toFixed(1).padStart(6)));
}
