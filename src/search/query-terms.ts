import { type QueryWord, readQueryWords } from './query-words.ts';
import { repairWord } from './repair.ts';
import { synonymsOf } from './synonyms.ts';
import type { Vocabulary } from './vocabulary.ts';

/** One word of the query: the index terms that can stand for it, each with a discount. */
export interface QueryTerm extends QueryWord {
  /** Grows with the square root of how often the word is repeated. */
  readonly weight: number;
  readonly alternatives: readonly Alternative[];
}

export interface Alternative {
  readonly term: string;
  readonly discount: number;
  readonly kind: 'word' | 'synonym' | 'joined' | 'typo' | 'prefix';
}

export interface Query {
  readonly terms: readonly QueryTerm[];
  readonly clauseCount: number;
}

const MAX_TERMS = 60;
const MAX_REPAIRS = 12;
const SYNONYM_DISCOUNT = 0.45;
const JOINED_DISCOUNT = 0.8;
const NUMBER_WEIGHT = 0.4;
const VALUE_WEIGHT = 0.4;
const NUMBER = /^\p{N}+$/u;

/** Reads a query into weighted terms with their alternatives in the index. */
export function readQuery(query: string, vocabulary: Vocabulary): Query {
  const { words, neighbours, clauseCount } = readQueryWords(query);
  let repairs = 0;
  const terms = words.slice(0, MAX_TERMS).map((word) => {
    const alternatives: Alternative[] = [{ term: word.stem, discount: 1, kind: 'word' }];
    for (const term of synonymsOf(word.stem)) {
      if (vocabulary.has(term)) alternatives.push({ term, discount: SYNONYM_DISCOUNT, kind: 'synonym' });
    }
    for (const term of neighbours.get(word.word) ?? []) {
      if (vocabulary.has(term)) alternatives.push({ term, discount: JOINED_DISCOUNT, kind: 'joined' });
    }
    if (!vocabulary.has(word.stem) && repairs < MAX_REPAIRS) {
      repairs++;
      alternatives.push(...repairWord(word.word, vocabulary));
    }
    const weight = Math.sqrt(word.count) * (NUMBER.test(word.word) ? NUMBER_WEIGHT : 1) * (word.isValue ? VALUE_WEIGHT : 1);
    return { ...word, weight, alternatives };
  });
  return { terms, clauseCount };
}
