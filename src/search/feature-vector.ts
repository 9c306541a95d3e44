import type { Background, WordBackground } from './background.ts';
import { type Evidence, nameStrength, type QueryWeights } from './features.ts';
import { ARGUMENT_NAMES, DESCRIPTION, FIELDS, SERVER, SUMMARY } from './fields.ts';
import type { Query } from './query-terms.ts';
import { fieldLength } from './segment.ts';
import { hashOf } from './vocabulary.ts';

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
];

/** The last of the features. */
const BACKGROUND_FEATURES = 7;
const SMALL_CLAUSE_IDF = 1;

/** A row of numbers, most of them between 0 and 1, for each candidate; all rows one after the other. */
export function featureTable(
  query: Query,
  evidence: readonly Evidence[],
  weights: QueryWeights,
  background: Background,
): Float64Array {
  const best = Math.max(...evidence.map(({ candidate }) => candidate.lexical), 1e-6);
  const clauseBest = bestOfClauses(evidence, query.clauseCount);
  const order = query.order.map(hashOf);
  const words = query.terms.map(({ stem }) => background.read(stem));
  const long = Math.min(query.terms.length, 20) / 20;
  const many = Math.log(query.clauseCount);
  const highestIdf = Math.max(...weights.idf, 1e-6);
  const table = new Float64Array(evidence.length * FEATURES.length);
  let rank = 0;
  evidence.forEach((found, place) => {
    // Equals share a place: only what tells them apart may set them apart.
    if (found.candidate.lexical !== evidence[rank]?.candidate.lexical) rank = place;
    const clause = readClauses(found, weights, clauseBest);
    const { lexical, shelf, document } = found.candidate;
    const { nameCover } = found;
    const covered = nameCover.reduce((sum, cover) => sum + cover, 0) / Math.max(nameCover.length, 1);
    const strength = nameStrength(found);
    const descriptionLength = length(found, SUMMARY) + length(found, DESCRIPTION);
    const serverTerms = fieldLength(shelf.segment, document, SERVER);
    const at = place * FEATURES.length;
    put(table, at, found.weighted);
    put(table, at + FIELDS.length, found.plain);
    const others = [
      lexical / best,
      Math.log1p(lexical) / 4,
      lexical / weights.total / 3,
      1 / (1 + rank),
      found.share,
      found.anyShare,
      strength,
      covered,
      covered > 0.999 ? 1 : 0,
      nameCover[0] ?? 0,
      nameCover[nameCover.length - 1] ?? 0,
      longestPhrase(order, found) / Math.max(nameCover.length, 1),
      Math.log1p(nameCover.length),
      Math.log1p(descriptionLength) / 4,
      Math.log1p(length(found, ARGUMENT_NAMES)) / 3,
      found.rareMatch / 2.6,
      found.valueShare,
      found.properShare,
      found.indirectShare,
      serverTerms === 0 ? 0 : Math.min(found.serverWords / serverTerms, 1),
      clause.lead,
      clause.share,
      clause.led / query.clauseCount,
      query.clauseCount > 1 ? clause.lead : 0,
      (1 - clause.lead) * many,
      strength * long,
      found.share * long,
      Math.log1p(shelf.wordsInName),
      found.serverOwnership,
    ];
    put(table, at + 2 * FIELDS.length, others);
    const end = at + FEATURES.length;
    put(table, end - BACKGROUND_FEATURES, readBackground(found, words, weights, highestIdf));
  });
  return table;
}

/** Quicker than `set` for so few. */
function put(table: Float64Array, at: number, values: readonly number[]): void {
  for (let i = 0; i < values.length; i++) table[at + i] = values[i] ?? 0;
}

/** What the matched words are worth by how rare they are among tools, and how common in requests, elsewhere. */
function readBackground(
  { strengths }: Evidence,
  words: readonly WordBackground[],
  weights: QueryWeights,
  highestIdf: number,
): number[] {
  let rarity = 0;
  let subject = 0;
  let strengthRarity = 0;
  let strengthSubject = 0;
  let allRarity = 1e-6;
  let allSubject = 1e-6;
  let relative = 0;
  words.forEach((word, position) => {
    const strength = (strengths[position] ?? 0) / 2.6;
    allRarity += word.rarity;
    allSubject += word.subject;
    if (strength === 0) return;
    rarity += word.rarity;
    subject += word.subject;
    strengthRarity += strength * word.rarity;
    strengthSubject += strength * word.subject;
    relative += (weights.idf[position] ?? 0) / highestIdf;
  });
  return [
    rarity / 4,
    subject / 4,
    strengthRarity / 4,
    strengthSubject / 4,
    strengthRarity / allRarity,
    strengthSubject / allSubject,
    relative / 4,
  ];
}

function length({ candidate }: Evidence, field: number): number {
  return fieldLength(candidate.shelf.segment, candidate.document, field);
}

function bestOfClauses(evidence: readonly Evidence[], clauseCount: number): Float64Array {
  const best = new Float64Array(clauseCount).fill(1e-6);
  for (const { clauses } of evidence) {
    clauses.forEach((score, clause) => {
      if (score > (best[clause] ?? 0)) best[clause] = score;
    });
  }
  return best;
}

/** A query often asks for several things; a tool that leads in one of its clauses may lose on the whole. */
function readClauses(
  { clauses }: Evidence,
  weights: QueryWeights,
  best: Float64Array,
): { lead: number; share: number; led: number } {
  let lead = 0;
  let share = 0;
  let led = 0;
  clauses.forEach((score, clause) => {
    const idf = weights.clauses[clause] ?? 0;
    share = Math.max(share, score / Math.max(idf, SMALL_CLAUSE_IDF) / 2.6);
    if (idf <= SMALL_CLAUSE_IDF) return;
    const relative = score / (best[clause] ?? 1);
    lead = Math.max(lead, relative);
    if (relative > 0.999) led++;
  });
  return { lead, share, led };
}

/** Words of the name that stand side by side in the query too; one word alone is no phrase. */
function longestPhrase(order: readonly number[], { candidate, nameCover }: Evidence): number {
  let covered = 0;
  for (const cover of nameCover) if (cover === 1) covered++;
  if (covered < 2) return 0;
  const { segment } = candidate.shelf;
  const start = segment.nameStarts[candidate.document] ?? 0;
  const name = Array.from(nameCover, (_, i) => segment.hashes[segment.nameTerms[start + i] ?? 0] ?? 0);
  let longest = 0;
  for (let i = 0; i < name.length; i++) {
    for (let j = order.indexOf(name[i] ?? 0); j !== -1; j = order.indexOf(name[i] ?? 0, j + 1)) {
      let words = 1;
      while (i + words < name.length && name[i + words] === order[j + words]) words++;
      if (words > longest) longest = words;
    }
  }
  return longest > 1 ? longest : 0;
}
