import { repairWord } from './repair.ts';
import { stem } from './stem.ts';
import { REQUEST_FILLER, STOP_WORDS } from './stop-words.ts';
import { synonymsOf } from './synonyms.ts';
import type { Vocabulary } from './vocabulary.ts';
import { eachWord } from './words.ts';

/** One word of the query: the index terms that can stand for it, each with a discount. */
export interface QueryTerm {
  readonly word: string;
  readonly stem: string;
  /** Grows with the square root of how often the word is repeated. */
  readonly weight: number;
  readonly alternatives: readonly Alternative[];
}

export interface Alternative {
  readonly term: string;
  readonly discount: number;
  readonly kind: 'word' | 'synonym' | 'joined' | 'typo' | 'prefix';
}

const MAX_QUERY_CHARACTERS = 4_000;
const MAX_TERMS = 60;
const MAX_REPAIRS = 12;
const SYNONYM_DISCOUNT = 0.45;
const NUMBER_WEIGHT = 0.4;
const NUMBER = /^\p{N}+$/u;

interface CountedWord {
  readonly word: string;
  count: number;
}

/** Reads a query into weighted terms; request filler and stop words count only when nothing else is left. */
export function readQueryTerms(query: string, vocabulary: Vocabulary): QueryTerm[] {
  const { words, neighbours } = countWords(query.slice(0, MAX_QUERY_CHARACTERS));
  const telling = words.filter(({ word }) => !STOP_WORDS.has(word) && !REQUEST_FILLER.has(word));
  const unfilled = telling.length > 0 ? telling : words.filter(({ word }) => !STOP_WORDS.has(word));
  const used = unfilled.length > 0 ? unfilled : words;
  let repairs = 0;
  return used.slice(0, MAX_TERMS).map(({ word, count }) => {
    const term = stem(word);
    const alternatives: Alternative[] = [{ term, discount: 1, kind: 'word' }];
    for (const other of synonymsOf(term)) {
      if (vocabulary.has(other))
        alternatives.push({ term: other, discount: SYNONYM_DISCOUNT, kind: 'synonym' });
    }
    for (const joined of neighbours.get(word) ?? []) {
      if (vocabulary.has(joined)) alternatives.push({ term: joined, discount: 0.8, kind: 'joined' });
    }
    if (!vocabulary.has(term) && repairs < MAX_REPAIRS) {
      repairs++;
      alternatives.push(...repairWord(word, vocabulary));
    }
    const weight = Math.sqrt(count) * (NUMBER.test(word) ? NUMBER_WEIGHT : 1);
    return { word, stem: term, weight, alternatives };
  });
}

function countWords(query: string): { words: CountedWord[]; neighbours: Map<string, string[]> } {
  const counted = new Map<string, CountedWord>();
  const neighbours = new Map<string, string[]>();
  let previous = '';
  eachWord(query, (word, compound) => {
    const known = counted.get(stem(word));
    if (known === undefined) counted.set(stem(word), { word, count: 1 });
    else known.count++;
    if (compound) return;
    if (previous !== '') {
      const joined = stem(previous + word);
      neighbours.set(previous, [...(neighbours.get(previous) ?? []), joined].slice(0, 4));
      neighbours.set(word, [...(neighbours.get(word) ?? []), joined].slice(0, 4));
    }
    previous = word;
  });
  return { words: [...counted.values()], neighbours };
}
