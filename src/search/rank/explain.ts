import type { ToolKey } from '../index/collection.ts';
import { FIELDS, type Field } from '../index/fields.ts';
import { FIELD_MASK, FIELD_SHIFT } from '../index/segment.ts';
import type { Alternative } from '../query/alternative.ts';
import type { Query } from '../query/query-terms.ts';
import { type Candidate, nameOf } from './candidate.ts';
import { eachMatch, idfOfTerm, type Scope, saturate } from './lexical.ts';

/** Why a hit is where it is. */
export interface Explanation extends ToolKey {
  readonly score: number;
  /** The query names the tool literally, which puts it first whatever the other parts say. */
  readonly isNamed: boolean;
  /** First stage: words, fields and how rare the words are. */
  readonly lexical: number;
  /** Second stage: the learned score, 1 for the best. Absent where that stage is switched off. */
  readonly learned: number | undefined;
  readonly words: readonly ExplainedWord[];
}

export interface ExplainedWord {
  /** As the query has it. */
  readonly word: string;
  /** As the index has it: the stem, or what stands in for it. */
  readonly term: string;
  readonly kind: Alternative['kind'];
  readonly fields: readonly Field[];
  /** The word's part of the lexical score. */
  readonly score: number;
}

/** For each candidate the words it matched, strongest first. */
export function explainWords(
  scope: Scope,
  query: Query,
  candidates: readonly Candidate[],
): ExplainedWord[][] {
  const words: ExplainedWord[][] = candidates.map(() => []);
  const placeOf = new Map(candidates.map(({ number }, place) => [number, place]));
  const norms = scope.collection.lengthNorms();
  for (const term of query.terms) {
    const idf = idfOfTerm(scope.collection, term) * term.weight;
    const best = new Map<number, ExplainedWord>();
    for (const { term: text, discount, kind } of term.alternatives) {
      eachMatch(scope, text, ({ shelf, document, from, to }) => {
        const place = placeOf.get(shelf.base + document);
        if (place === undefined) return;
        const score = idf * discount * saturate(shelf, document, from, to, norms);
        if (score <= (best.get(place)?.score ?? 0)) return;
        const fields = fieldsOf(shelf.segment.postings.subarray(from, to));
        best.set(place, { word: term.word, term: text, kind, fields, score });
      });
    }
    for (const [place, word] of best) words[place]?.push(word);
  }
  for (const list of words) list.sort((a, b) => b.score - a.score);
  return words;
}

export function keyOf(candidate: Candidate): ToolKey {
  return { server: candidate.shelf.server, name: nameOf(candidate) };
}

function fieldsOf(postings: Uint32Array): Field[] {
  return Array.from(postings, (posting) => FIELDS[(posting >>> FIELD_SHIFT) & FIELD_MASK]).filter(
    (field) => field !== undefined,
  );
}
