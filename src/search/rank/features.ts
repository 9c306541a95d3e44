import { ARGUMENT_NAMES, DESCRIPTION, SERVER, SUMMARY } from '../index/fields.ts';
import { fieldLength } from '../index/segment.ts';
import { hashOf } from '../index/term-hash.ts';
import type { Query } from '../query/query-terms.ts';
import type { Background, WordBackground } from '../words/word-background.ts';
import { type Evidence, nameStrength, type QueryWeights } from './evidence.ts';

const SMALL_CLAUSE_IDF = 1;

/** What all candidates of a query are measured against. */
export interface QueryFacts {
  readonly weights: QueryWeights;
  readonly bestLexical: number;
  readonly highestIdf: number;
  /** By clause the best score of any candidate. */
  readonly clauseBest: Float64Array;
  /** Hashes of the words in order. */
  readonly order: readonly number[];
  readonly words: readonly WordBackground[];
  readonly clauseCount: number;
  /** 0 for no words, 1 for twenty or more. */
  readonly long: number;
}

export function readQueryFacts(
  query: Query,
  evidence: readonly Evidence[],
  weights: QueryWeights,
  background: Background,
): QueryFacts {
  return {
    weights,
    bestLexical: Math.max(...evidence.map(({ candidate }) => candidate.lexical), 1e-6),
    highestIdf: Math.max(...weights.idf, 1e-6),
    clauseBest: bestOfClauses(evidence, query.clauseCount),
    order: query.order.map(hashOf),
    words: query.terms.map(({ stem }) => background.read(stem)),
    clauseCount: query.clauseCount,
    long: Math.min(query.terms.length, 20) / 20,
  };
}

/** From `lexicalOfBest` to `nameStrength`. */
export function readMatch(found: Evidence, rank: number, { bestLexical, weights }: QueryFacts): number[] {
  const { lexical } = found.candidate;
  return [
    lexical / bestLexical,
    Math.log1p(lexical) / 4,
    lexical / weights.total / 3,
    1 / (1 + rank),
    found.share,
    found.anyShare,
    nameStrength(found),
  ];
}

/** From `nameCover` to `nameLength`. */
export function readName(found: Evidence, { order }: QueryFacts): number[] {
  const { nameCover } = found;
  const covered = nameCover.reduce((sum, cover) => sum + cover, 0) / Math.max(nameCover.length, 1);
  return [
    covered,
    covered > 0.999 ? 1 : 0,
    nameCover[0] ?? 0,
    nameCover[nameCover.length - 1] ?? 0,
    longestPhrase(order, found) / Math.max(nameCover.length, 1),
    Math.log1p(nameCover.length),
  ];
}

/** From `descriptionLength` to `serverCover`. */
export function readText(found: Evidence): number[] {
  const serverTerms = length(found, SERVER);
  return [
    Math.log1p(length(found, SUMMARY) + length(found, DESCRIPTION)) / 4,
    Math.log1p(length(found, ARGUMENT_NAMES)) / 3,
    found.rareMatch / 2.6,
    found.valueShare,
    found.properShare,
    found.indirectShare,
    serverTerms === 0 ? 0 : Math.min(found.serverWords / serverTerms, 1),
  ];
}

/** From `clauseLead` to `clauseLagOfMany`. */
export function readClauseFeatures(
  found: Evidence,
  { weights, clauseBest, clauseCount }: QueryFacts,
): number[] {
  const { lead, share, led } = readClauses(found, weights, clauseBest);
  return [lead, share, led / clauseCount, clauseCount > 1 ? lead : 0, (1 - lead) * Math.log(clauseCount)];
}

/** From `nameStrengthOfLong` to `serverOwnership`. */
export function readRequest(found: Evidence, { long }: QueryFacts): number[] {
  return [
    nameStrength(found) * long,
    found.share * long,
    Math.log1p(found.candidate.shelf.wordsInName),
    found.serverOwnership,
  ];
}

/** What the matched words are worth by how rare they are among tools, and how common in requests, elsewhere. */
export function readBackground(
  { strengths }: Evidence,
  { words, weights, highestIdf }: QueryFacts,
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

/** No name that means something has more words. */
const MAX_PHRASE_WORDS = 40;

/** Words of the name that stand side by side in the query too; one word alone is no phrase. */
function longestPhrase(order: readonly number[], { candidate, nameCover }: Evidence): number {
  let covered = 0;
  for (const cover of nameCover) if (cover === 1) covered++;
  if (covered < 2) return 0;
  const { segment } = candidate.shelf;
  const start = segment.nameStarts[candidate.document] ?? 0;
  const name = Array.from(
    nameCover.slice(0, MAX_PHRASE_WORDS),
    (_, i) => segment.hashes[segment.nameTerms[start + i] ?? 0] ?? 0,
  );
  let longest = 0;
  for (let i = 0; i < name.length; i++) {
    for (let j = order.indexOf(name[i] ?? 0); j !== -1; j = order.indexOf(name[i] ?? 0, j + 1)) {
      // What goes on from the words before has been counted from its beginning.
      if (i > 0 && j > 0 && name[i - 1] === order[j - 1]) continue;
      let words = 1;
      while (i + words < name.length && name[i + words] === order[j + words]) words++;
      if (words > longest) longest = words;
    }
  }
  return longest > 1 ? longest : 0;
}
