import path from 'node:path';
import { idOf } from '../../src/search/rank/exact-first.ts';
import { RERANKED } from '../../src/search/rank/rerank.ts';
import { collect, type RankedQuery, rankQueries } from './examples.ts';
import { type PlainThing, plainThings } from './plain-things.ts';
import { isMeasured, readGivenRequests, readOwnRequests, type Setup } from './requests.ts';
import {
  familyOf,
  type LabelledQuery,
  type ListedTool,
  poolOf,
  type QuerySet,
  readCatalog,
  readCatalogSet,
  readSets,
} from './sets.ts';

/** Where queries come from: what is measured by family, by setup, and what only teaches. */
export type Kind = 'public' | 'catalog' | 'given' | 'own' | 'plain';

/** Queries ranked by the first stage, among the tools of their set and, public ones, among those of all sets. */
export interface TrainingSet {
  readonly kind: Kind;
  readonly set: QuerySet;
  /** Never learned from by the model that it is measured with. */
  readonly fold: number;
  readonly alone: readonly RankedQuery[];
  readonly pooled: readonly RankedQuery[];
  /** Of each query: sets count by the root of their size. */
  readonly weight: number;
}

/** Requests count more than their number: they are what is asked of a search, and few. */
const REQUEST_WEIGHT = 2;

/** One for each family of public sets, and one for the catalog. */
export const FOLDS = 9;
/** Of the plain things every so manieth teaches. */
const PLAIN_STEP = 3;

/** Everything that is learned from, or undefined where the data are not laid out. */
export function readTrainingSets(folder: string): TrainingSet[] | undefined {
  const retrieval = path.join(folder, 'retrieval');
  const publicSets = readSets(retrieval);
  const own = readCatalogSet(path.join(folder, 'catalog'));
  if (publicSets === undefined || own === undefined) return undefined;
  const catalog = readCatalog(path.join(folder, 'catalog'));
  const pool = collect(poolOf(publicSets));
  const families = [...new Set(publicSets.map(({ name }) => familyOf(name)))];
  return [
    ...publicSets.map((set) => ({
      kind: 'public' as const,
      set,
      fold: families.indexOf(familyOf(set.name)),
      alone: rankQueries(set.queries, collect(set.tools), RERANKED),
      pooled: rankQueries(set.queries, pool, RERANKED),
      weight: weightOf(set.queries.length),
    })),
    rankAlone('catalog', own, families.length, own.queries.length),
    ...rankSetups('given', readGivenRequests(retrieval, catalog)),
    ...rankSetups('own', readOwnRequests(catalog)),
    ...rankPlain(catalog),
  ];
}

function weightOf(queries: number): number {
  return 20 / Math.sqrt(Math.max(queries, 1));
}

function rankAlone(kind: Kind, set: QuerySet, fold: number, ofKind: number): TrainingSet {
  const alone = rankQueries(set.queries, collect(set.tools), RERANKED);
  return { kind, set, fold: fold % FOLDS, alone, pooled: [], weight: weightOf(ofKind) };
}

function rankSetups(kind: Kind, setups: readonly Setup[]): TrainingSet[] {
  const measured = setups.map((setup) => ({ ...setup, queries: setup.queries.filter(isMeasured) }));
  const count = measured.reduce((sum, { queries }) => sum + queries.length, 0);
  return measured
    .map((setup, i) => rankAlone(kind, setup, i, count))
    .map((set) => ({ ...set, weight: REQUEST_WEIGHT * set.weight }));
}

/** Plain things among the whole catalog, one wording with the server's name and one without; folds by server. */
function rankPlain(catalog: readonly ListedTool[]): TrainingSet[] {
  const collection = collect(catalog);
  const things = plainThings(catalog);
  const taught = things.filter((_, i) => i % PLAIN_STEP === 0);
  const servers = [...new Set(things.map(({ tool }) => tool.server))];
  return Array.from({ length: FOLDS }, (_, fold) => {
    const mine = taught.filter(({ tool }) => servers.indexOf(tool.server) % FOLDS === fold);
    const queries = mine.flatMap((thing) => wordingsOf(thing, things, taught.indexOf(thing)));
    return {
      kind: 'plain',
      set: { name: `plain ${fold}`, tools: catalog, queries },
      fold,
      alone: rankQueries(queries, collection, RERANKED),
      pooled: [],
      weight: weightOf(2 * taught.length),
    };
  });
}

function wordingsOf(thing: PlainThing, all: readonly PlainThing[], number: number): LabelledQuery[] {
  const { tool, wordings } = thing;
  const at = (place: number) => wordings[place % wordings.length] ?? '';
  const server = tool.server.replaceAll('-', ' ');
  const named = number % 2 === 0 ? `${at(number * 7)} in ${server}` : `${server}: ${at(number * 7)}`;
  const twins = all.filter(({ action, object }) => action === thing.action && object === thing.object);
  return [
    { query: named, relevant: [tool] },
    { query: at(number * 3 + 1), any: true, relevant: twins.map((twin) => twin.tool) },
  ];
}

/** By tool: the folds whose public sets have it. */
export function foldsByTool(sets: readonly TrainingSet[]): Map<string, Set<number>> {
  const folds = new Map<string, Set<number>>();
  for (const { kind, set, fold } of sets) {
    if (kind !== 'public') continue;
    for (const tool of set.tools) {
      const known = folds.get(idOf(tool)) ?? new Set();
      folds.set(idOf(tool), known.add(fold));
    }
  }
  return folds;
}
