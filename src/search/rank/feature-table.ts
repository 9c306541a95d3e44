import { FIELDS } from '../index/fields.ts';
import type { Query } from '../query/query-terms.ts';
import type { Background } from '../words/word-background.ts';
import { ACTION_FEATURES, readAction, readPlurals } from './action-features.ts';
import type { Evidence, QueryWeights } from './evidence.ts';
import {
  readBackground,
  readClauseFeatures,
  readMatch,
  readName,
  readQueryFacts,
  readRequest,
  readText,
} from './features.ts';
import { MEANING_FEATURES, readMeanings } from './meaning-features.ts';
import type { Meaning } from './nearest-meanings.ts';

const OTHERS = [
  'lexicalOfBest',
  'lexicalLog',
  'lexicalPerIdf',
  'place',
  'share',
  'anyShare',
  'nameStrength',
  'nameCover',
  'isNameCovered',
  'firstNameWord',
  'lastNameWord',
  'phrase',
  'nameLength',
  'descriptionLength',
  'argumentCount',
  'rareMatch',
  'valueShare',
  'properShare',
  'indirectShare',
  'serverCover',
  'clauseLead',
  'clauseShare',
  'clausesLed',
  'clauseLeadOfMany',
  'clauseLagOfMany',
  'nameStrengthOfLong',
  'shareOfLong',
  'wordsInServerName',
  'serverOwnership',
  'matchedRarity',
  'matchedSubject',
  'strengthRarity',
  'strengthSubject',
  'rarityShare',
  'subjectShare',
  'relativeIdf',
] as const;

/** The features of a candidate, in the order of the weights. */
export const FEATURES: readonly string[] = [
  ...FIELDS.map((field) => `weighted:${field}`),
  ...FIELDS.map((field) => `plain:${field}`),
  ...OTHERS,
  ...ACTION_FEATURES,
  ...MEANING_FEATURES,
];

/** A row of numbers, most of them between 0 and 1, for each candidate; all rows one after the other. */
export function featureTable(
  query: Query,
  evidence: readonly Evidence[],
  weights: QueryWeights,
  background: Background,
  meaning?: Meaning,
): Float64Array {
  const facts = readQueryFacts(query, evidence, weights, background);
  const table = new Float64Array(evidence.length * FEATURES.length);
  const plurals = readPlurals(query);
  const meanings = readMeanings(
    evidence.map(({ candidate }) => candidate),
    meaning,
  );
  let rank = 0;
  evidence.forEach((found, place) => {
    // Equals share a place: only what tells them apart may set them apart.
    if (found.candidate.lexical !== evidence[rank]?.candidate.lexical) rank = place;
    let at = place * FEATURES.length;
    const put = (values: readonly number[]) => {
      // Quicker than `set` for so few.
      for (let i = 0; i < values.length; i++) table[at + i] = values[i] ?? 0;
      at += values.length;
    };
    put(found.weighted);
    put(found.plain);
    put(readMatch(found, rank, facts));
    put(readName(found, facts));
    put(readText(found));
    put(readClauseFeatures(found, facts));
    put(readRequest(found, facts));
    put(readBackground(found, facts));
    put(readAction(found, query, facts.clauseBest, plurals));
    put(meanings[place] ?? []);
  });
  return table;
}
