import { Collection, type ToolKey } from '../../src/search/index/collection.ts';
import { SegmentBuilder } from '../../src/search/index/segment-builder.ts';
import { tokenTable } from '../../src/search/meaning/static-vectors.ts';
import { type Query, readQuery } from '../../src/search/query/query-terms.ts';
import { nameOf } from '../../src/search/rank/candidate.ts';
import { type Evidence, gatherEvidence, type QueryWeights } from '../../src/search/rank/evidence.ts';
import { idOf } from '../../src/search/rank/exact-first.ts';
import type { Meaning } from '../../src/search/rank/nearest-meanings.ts';
import { makeShortlist } from '../../src/search/rank/shortlist.ts';
import { staticMeaning } from '../../src/search/rank/static-meaning.ts';
import { groupByServer, type LabelledQuery, type ListedTool } from './sets.ts';

/** A labelled query with the candidates of the first stage and what is known of them. */
export interface RankedQuery {
  readonly query: LabelledQuery;
  readonly tools: readonly ToolKey[];
  readonly read: Query;
  readonly evidence: readonly Evidence[];
  readonly weights: QueryWeights;
  readonly isRight: readonly boolean[];
  readonly meaning: Meaning | undefined;
}

export function collect(tools: readonly ListedTool[]): Collection {
  const collection = new Collection();
  for (const [server, listed] of groupByServer(tools)) {
    const builder = new SegmentBuilder(server, tokenTable());
    for (const tool of listed) builder.add(tool);
    collection.put(server, builder.finish());
  }
  return collection;
}

/** Ranks queries over a collection with the first stage alone. */
export function rankQueries(
  queries: readonly LabelledQuery[],
  collection: Collection,
  candidates: number,
): RankedQuery[] {
  const scope = { collection, includes: () => true };
  return queries.map((query) => {
    const read = readQuery(query.query, collection.vocabulary);
    const meaning = staticMeaning(query.query);
    const found = makeShortlist(scope, read.terms, [], candidates, meaning).top;
    const { evidence, weights } = gatherEvidence(scope, read, found);
    const tools = found.map((candidate) => ({ server: candidate.shelf.server, name: nameOf(candidate) }));
    const right = new Set(query.relevant.filter((tool) => (tool.grade ?? 2) === 2).map(idOf));
    return {
      query,
      tools,
      read,
      evidence,
      weights,
      meaning,
      isRight: tools.map((tool) => right.has(idOf(tool))),
    };
  });
}
