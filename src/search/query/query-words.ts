import { stem } from '../words/stem.ts';
import { REQUEST_FILLER, STOP_WORDS } from '../words/stop-words.ts';
import { eachWord } from '../words/words.ts';
import { cutQuery } from './cut-query.ts';
import { type RequestAction, readAction } from './request-action.ts';

/** A word of the query with what its place in the text says about it. */
export interface QueryWord {
  readonly word: string;
  readonly stem: string;
  count: number;
  /** Bit i is set when the word occurs in clause i. */
  clauses: number;
  /** Nowhere outside quotes, addresses and paths: rather a value than a subject. */
  isValue: boolean;
  /** Capitalised where no sentence starts: rather a name than a subject. */
  isProper: boolean;
  /** Of a word that says what is to be done: what tools say for it. */
  standIns: readonly string[] | undefined;
}

export interface QueryText {
  readonly words: readonly QueryWord[];
  /** Pairs of neighbours, for words that tool authors write as one. */
  readonly neighbours: ReadonlyMap<string, readonly string[]>;
  readonly clauseCount: number;
  /** The stems of all words in order. */
  readonly order: readonly string[];
  /** By clause: what is asked to be done. */
  readonly actions: readonly RequestAction[];
}

const MAX_CLAUSES = 12;
const CLAUSE_BORDER =
  /(?<=[^\s.]{2}[.?!])\s+|[;\n]+|,?\s{1,20}\b(?:and then|and also|then|also|additionally|furthermore|moreover|finally|after that|afterwards|next|lastly|secondly|plus)\b/i;
const VALUE = valuesAmong(String.raw`\p{L}\p{N}`, 'giu');
const PROPER = /(?<=[\p{Ll},]\s)\p{Lu}[\p{L}\p{N}]*/gu;
/** The same for ASCII alone; the classes of all scripts take milliseconds to compile, paid by a first search. */
const ASCII_VALUE = valuesAmong('a-z0-9', 'gi');
const ASCII_PROPER = /(?<=[a-z,]\s)[A-Z][A-Za-z0-9]*/g;
const NON_ASCII = /[^\0-\x7f]/;

/** Every value has one of these; looking for values where there are none is what costs most in a long query. */
const HAS_VALUE_SIGN = /["“'@/]/;

/** Quoted text, addresses and paths. */
function valuesAmong(letters: string, flags: string): RegExp {
  return new RegExp(
    String.raw`"[^"]{1,200}"|“[^”]{1,200}”|(?<![${letters}])'[^'\n]{1,200}'(?![${letters}])|\b[a-z]{2,12}:\/\/\S+|[^\s@]{1,64}@[^\s@]{1,200}|(?<!\S)[~.]?\/[\w./-]+`,
    flags,
  );
}

/** Stop words and request filler count only when nothing else is left. */
export function readQueryWords(query: string): QueryText {
  const all = new Map<string, QueryWord>();
  const neighbours = new Map<string, string[]>();
  const order: string[] = [];
  const clauses = cutQuery(query).split(CLAUSE_BORDER).filter(isTelling).slice(0, MAX_CLAUSES);
  const actions = clauses.map(readAction);
  for (const [number, clause] of clauses.entries()) readClause(clause, number, { all, neighbours, order });
  for (const { standIns } of actions) {
    for (const [stemmed, verbs] of standIns) {
      const word = all.get(stemmed);
      if (word !== undefined) word.standIns ??= verbs;
    }
  }
  const words = [...all.values()];
  const subject = words.filter(({ word }) => !STOP_WORDS.has(word) && !REQUEST_FILLER.has(word));
  const unstopped = subject.length > 0 ? subject : words.filter(({ word }) => !STOP_WORDS.has(word));
  return {
    words: unstopped.length > 0 ? unstopped : words,
    neighbours,
    clauseCount: Math.max(clauses.length, 1),
    order,
    actions,
  };
}

function isTelling(clause: string): boolean {
  let telling = false;
  eachWord(clause, (word) => {
    telling ||= !REQUEST_FILLER.has(word);
  });
  return telling;
}

interface Collected {
  readonly all: Map<string, QueryWord>;
  readonly neighbours: Map<string, string[]>;
  readonly order: string[];
}

function readClause(clause: string, number: number, { all, neighbours, order }: Collected): void {
  const isForeign = NON_ASCII.test(clause);
  const proper = new Set<string>();
  for (const [name] of clause.matchAll(isForeign ? PROPER : ASCII_PROPER))
    eachWord(name, (word) => proper.add(word));
  let previous = '';
  let end = 0;
  for (const match of HAS_VALUE_SIGN.test(clause) ? clause.matchAll(isForeign ? VALUE : ASCII_VALUE) : []) {
    read(clause.slice(end, match.index), false);
    read(match[0], true);
    end = match.index + match[0].length;
  }
  read(clause.slice(end), false);

  function read(text: string, isValue: boolean): void {
    eachWord(text, (word, compound) => {
      note(word, isValue);
      if (compound) return;
      order.push(stem(word));
      if (previous !== '') join(previous, word);
      previous = word;
    });
  }

  function note(word: string, isValue: boolean): void {
    const stemmed = stem(word);
    const known = all.get(stemmed);
    if (known === undefined) {
      const clauses = 1 << number;
      all.set(stemmed, {
        word,
        stem: stemmed,
        count: 1,
        clauses,
        isValue,
        isProper: proper.has(word),
        standIns: undefined,
      });
      return;
    }
    known.count++;
    known.clauses |= 1 << number;
    known.isValue &&= isValue;
    known.isProper &&= proper.has(word);
  }

  function join(left: string, right: string): void {
    const joined = stem(left + right);
    for (const word of [left, right]) {
      const others = neighbours.get(word) ?? [];
      if (others.length < 4 && !others.includes(joined)) neighbours.set(word, [...others, joined]);
    }
  }
}
