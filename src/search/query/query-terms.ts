import type { Vocabulary } from '../index/vocabulary.ts';
import { kindsInRequest } from '../words/details.ts';
import { synonymsOf } from '../words/synonyms.ts';
import type { Alternative } from './alternative.ts';
import { type QueryWord, readQueryWords } from './query-words.ts';
import { repairWord } from './repair.ts';
import type { RequestAction } from './request-action.ts';

/** One word of the query: the index terms that can stand for it, each with a discount. */
export interface QueryTerm extends QueryWord {
  /** Grows with the square root of how often the word is repeated. */
  readonly weight: number;
  readonly alternatives: readonly Alternative[];
}

export interface Query {
  readonly terms: readonly QueryTerm[];
  readonly clauseCount: number;
  /** The stems of all words in order, stop words included. */
  readonly order: readonly string[];
  /** By clause: what is asked to be done. */
  readonly actions: readonly RequestAction[];
  /** The kinds of detail that the request gives. */
  readonly details: number;
}

const MAX_TERMS = 60;
const MAX_REPAIRS = 12;
const SYNONYM_DISCOUNT = 0.45;
const STAND_IN_DISCOUNT = 0.6;
const EVERYDAY_DISCOUNT = 0.5;
const JOINED_DISCOUNT = 0.8;
const NUMBER_WEIGHT = 0.4;
const VALUE_WEIGHT = 0.4;
const PARTICLE_WEIGHT = 0.3;
const NUMBER = /^\p{N}+$/u;

/** Reads a query into weighted terms, `withAlternatives` with other terms of the index that may stand for them. */
export function readQuery(query: string, vocabulary: Vocabulary, withAlternatives = true): Query {
  const { words, neighbours, clauseCount, order, actions } = readQueryWords(query);
  let repairs = 0;
  const terms = words.slice(0, MAX_TERMS).map((word) => {
    const alternatives = withAlternatives ? findAlternatives(word) : [literal(word)];
    const weight =
      Math.sqrt(word.count) *
      (NUMBER.test(word.word) ? NUMBER_WEIGHT : 1) *
      (word.isValue ? VALUE_WEIGHT : 1) *
      (withAlternatives && word.standIns?.length === 0 ? PARTICLE_WEIGHT : 1);
    return { ...word, weight, alternatives };
  });
  return { terms, clauseCount, order, actions, details: kindsInRequest(query) };

  function findAlternatives(word: QueryWord): Alternative[] {
    const alternatives = word.standIns === undefined ? [literal(word)] : verbs(word, word.standIns);
    for (const term of synonymsOf(word.stem)) {
      if (vocabulary.has(term)) alternatives.push({ term, discount: SYNONYM_DISCOUNT, kind: 'synonym' });
    }
    for (const term of neighbours.get(word.word) ?? []) {
      if (vocabulary.has(term)) alternatives.push({ term, discount: JOINED_DISCOUNT, kind: 'joined' });
    }
    if (!word.isValue && !vocabulary.has(word.stem) && repairs < MAX_REPAIRS) {
      repairs++;
      alternatives.push(...repairWord(word.word, vocabulary));
    }
    return alternatives;
  }
}

/** A verb that tools say otherwise: its own word may mean something else there (to file, a file). */
function verbs(word: QueryWord, standIns: readonly string[]): Alternative[] {
  const isOfTools = standIns.includes(word.stem);
  const own: Alternative = { term: word.stem, discount: isOfTools ? 1 : EVERYDAY_DISCOUNT, kind: 'word' };
  const others = standIns.filter((term) => term !== word.stem);
  return [
    own,
    ...others.map((term): Alternative => ({ term, discount: STAND_IN_DISCOUNT, kind: 'synonym' })),
  ];
}

function literal({ stem }: QueryWord): Alternative {
  return { term: stem, discount: 1, kind: 'word' };
}
