import { expect, test } from 'vitest';
import { Collection } from '../../../src/search/index/collection.ts';
import { SegmentBuilder } from '../../../src/search/index/segment-builder.ts';
import { readQuery } from '../../../src/search/query/query-terms.ts';
import { nameOf } from '../../../src/search/rank/candidate.ts';
import { gatherEvidence } from '../../../src/search/rank/evidence.ts';
import { findCandidates } from '../../../src/search/rank/lexical.ts';

test('evidence says how strongly a tool has the rarest word of the query', () => {
  const builder = new SegmentBuilder('s');
  for (const name of ['tie_knot', 'tie_rope', 'tie_shoe', 'cut_rope']) builder.add({ name });
  const collection = new Collection();
  collection.put('s', builder.finish());
  const scope = { collection, includes: () => true };
  const query = readQuery('tie knot', collection.vocabulary);
  const { candidates } = findCandidates(scope, query.terms, 10);
  const { evidence } = gatherEvidence(scope, query, candidates);
  const rareMatches = new Map(
    candidates.map((candidate, place) => [nameOf(candidate), evidence[place]?.rareMatch ?? -1]),
  );
  expect(rareMatches.get('tie_knot')).toBeGreaterThan(1);
  expect([rareMatches.get('tie_rope'), rareMatches.get('tie_shoe')]).toEqual([0, 0]);
});
