import type { Shelf } from '../index/collection.ts';
import { FIELD_COUNT, NAME, SERVER, TITLE } from '../index/fields.ts';
import { DOCUMENT_SHIFT, FIELD_MASK, FIELD_SHIFT } from '../index/segment.ts';
import type { Query, QueryTerm } from '../query/query-terms.ts';
import type { Candidate } from './candidate.ts';
import { idfOfTerm, type Match, normalise, type Scope, saturate } from './lexical.ts';

/** What the second stage knows of one candidate, gathered term by term. */
export interface Evidence {
  readonly candidate: Candidate;
  /** Per field: idf-weighted and plain strength of the matches, both as a share of the whole query. */
  readonly weighted: number[];
  readonly plain: number[];
  /** Per clause: score and the most the clause could score. */
  readonly clauses: number[];
  /** For each word of the query how strongly it matched, 0 to 2.6. */
  readonly strengths: number[];
  /** How well each word of the name is covered: 1 literally, less by a synonym. */
  readonly nameCover: number[];
  share: number;
  anyShare: number;
  rareMatch: number;
  valueShare: number;
  properShare: number;
  indirectShare: number;
  serverWords: number;
  /** Of the tools that have a word which names this candidate's server, the share that is of this server; the most. */
  serverOwnership: number;
}

export interface QueryWeights {
  readonly idf: readonly number[];
  /** In how many tools each word occurs. */
  readonly frequencies: readonly number[];
  readonly total: number;
  /** Per clause: the sum of its words' idf. */
  readonly clauses: Float64Array;
}

/** Walks the postings of the query's terms once more and keeps what concerns the candidates. */
export function gatherEvidence(
  scope: Scope,
  query: Query,
  candidates: readonly Candidate[],
): { evidence: Evidence[]; weights: QueryWeights } {
  const weights = weigh(scope, query);
  const evidence = candidates.map((candidate) => emptyEvidence(candidate, query));
  const placeOf = numberPlaces(scope.collection.span, candidates);
  const hasCandidates = new Uint8Array(scope.collection.slots);
  for (const { shelf } of candidates) hasCandidates[shelf.slot] = 1;
  const norms = scope.collection.lengthNorms();
  const rarest = weights.idf.indexOf(Math.max(...weights.idf));
  const best = new Float64Array(candidates.length);
  const fields = new Float64Array(candidates.length * FIELD_COUNT);
  const kinds = new Uint8Array(candidates.length);
  const seen = { evidence, placeOf, norms, best, kinds, fields };
  query.terms.forEach((term, position) => {
    best.fill(0);
    for (const { term: text, discount, kind } of term.alternatives) {
      const { slots, locals } = scope.collection.vocabulary.occurrences(text);
      for (let i = 0; i < slots.length; i++) {
        const slot = slots[i] ?? 0;
        const shelf = hasCandidates[slot] === 1 ? scope.collection.shelf(slot) : undefined;
        if (shelf !== undefined) readPostings(seen, shelf, locals[i] ?? 0, discount, kind === 'word');
      }
    }
    evidence.forEach((found, place) => {
      const strength = best[place] ?? 0;
      if (strength === 0) return;
      addTerm(
        found,
        {
          term,
          strength,
          fields,
          from: place * FIELD_COUNT,
          idf: weights.idf[position] ?? 0,
          frequency: weights.frequencies[position] ?? 0,
          terms: query.terms.length,
        },
        weights,
      );
      if (kinds[place] === 1) found.indirectShare += (weights.idf[position] ?? 0) / weights.total;
      found.strengths[position] = strength;
      if (position === rarest) found.rareMatch = strength;
    });
  });
  for (const { number } of candidates) placeOf[number] = 0;
  return { evidence, weights };
}

interface Seen {
  readonly evidence: readonly Evidence[];
  readonly placeOf: Int32Array;
  readonly norms: Float64Array;
  /** By place, of the term at hand: the best strength, 1 where it is not the word itself that matched best. */
  readonly best: Float64Array;
  readonly kinds: Uint8Array;
  readonly fields: Float64Array;
}

/** Documents out of scope are no candidates, and most others are not either. */
function readPostings(seen: Seen, shelf: Shelf, term: number, discount: number, isWord: boolean): void {
  const { postings, starts } = shelf.segment;
  const { placeOf, best } = seen;
  const end = starts[term + 1] ?? 0;
  let at = starts[term] ?? 0;
  while (at < end) {
    const document = (postings[at] ?? 0) >>> DOCUMENT_SHIFT;
    const place = (placeOf[shelf.base + document] ?? 0) - 1;
    if (place < 0) {
      at++;
      continue;
    }
    const from = at;
    while (at < end && (postings[at] ?? 0) >>> DOCUMENT_SHIFT === document) at++;
    const found = seen.evidence[place];
    if (found === undefined) continue;
    coverName(found, shelf, document, term, isWord ? 1 : 0.5);
    const strength = discount * saturate(shelf, document, from, at, seen.norms);
    if (strength <= (best[place] ?? 0)) continue;
    best[place] = strength;
    seen.kinds[place] = isWord ? 0 : 1;
    readFields({ shelf, document, from, to: at }, seen.norms, discount, seen.fields, place * FIELD_COUNT);
  }
}

let places = new Int32Array(0);

/** By document number: a candidate's place plus one. All zero otherwise, and kept between searches. */
function numberPlaces(span: number, candidates: readonly Candidate[]): Int32Array {
  if (places.length < span) places = new Int32Array(Math.ceil(span * 1.25));
  candidates.forEach(({ number }, place) => {
    places[number] = place + 1;
  });
  return places;
}

function weigh({ collection }: Scope, query: Query): QueryWeights {
  const idf = query.terms.map((term) => idfOfTerm(collection, term) * term.weight);
  const clauses = new Float64Array(query.clauseCount);
  query.terms.forEach((term, position) => {
    for (let clause = 0; clause < clauses.length; clause++) {
      if ((term.clauses >>> clause) & 1) clauses[clause] = (clauses[clause] ?? 0) + (idf[position] ?? 0);
    }
  });
  return {
    idf,
    frequencies: query.terms.map(({ stem }) => collection.vocabulary.frequency(stem)),
    total: Math.max(
      idf.reduce((sum, value) => sum + value, 0),
      1e-6,
    ),
    clauses,
  };
}

function emptyEvidence(candidate: Candidate, { clauseCount, terms }: Query): Evidence {
  const { nameStarts } = candidate.shelf.segment;
  const words = (nameStarts[candidate.document + 1] ?? 0) - (nameStarts[candidate.document] ?? 0);
  return {
    candidate,
    weighted: zeros(FIELD_COUNT),
    plain: zeros(FIELD_COUNT),
    clauses: zeros(clauseCount),
    strengths: zeros(terms.length),
    nameCover: zeros(words),
    share: 0,
    anyShare: 0,
    rareMatch: 0,
    valueShare: 0,
    properShare: 0,
    indirectShare: 0,
    serverWords: 0,
    serverOwnership: 0,
  };
}

function coverName(
  { nameCover }: Evidence,
  { segment }: Shelf,
  document: number,
  term: number,
  cover: number,
): void {
  const { nameStarts, nameTerms } = segment;
  const start = nameStarts[document] ?? 0;
  for (let word = 0; word < nameCover.length; word++) {
    if (nameTerms[start + word] === term) nameCover[word] = Math.max(nameCover[word] ?? 0, cover);
  }
}

function readFields(
  { shelf, document, from, to }: Omit<Match, 'term'>,
  norms: Float64Array,
  discount: number,
  fields: Float64Array,
  at: number,
): void {
  fields.fill(0, at, at + FIELD_COUNT);
  for (let i = from; i < to; i++) {
    const posting = shelf.segment.postings[i] ?? 0;
    const frequency = normalise(norms, shelf.segment.lengths, document, posting);
    fields[at + ((posting >>> FIELD_SHIFT) & FIELD_MASK)] = (discount * frequency) / (frequency + 1);
  }
}

interface TermMatch {
  readonly term: QueryTerm;
  readonly strength: number;
  /** Strengths of all candidates by field; this one's start at `from`. */
  readonly fields: Float64Array;
  readonly from: number;
  readonly idf: number;
  readonly frequency: number;
  readonly terms: number;
}

function addTerm(found: Evidence, match: TermMatch, weights: QueryWeights): void {
  const { term, strength, fields, from, idf, terms } = match;
  const part = idf / weights.total;
  for (let field = 0; field < FIELD_COUNT; field++) {
    const value = fields[from + field] ?? 0;
    if (value === 0) continue;
    found.weighted[field] = (found.weighted[field] ?? 0) + value * part;
    found.plain[field] = (found.plain[field] ?? 0) + value / terms;
  }
  found.share += Math.min(strength, 1) * part;
  found.anyShare += part;
  if (term.isValue) found.valueShare += part;
  if (term.isProper) found.properShare += part;
  if ((fields[from + SERVER] ?? 0) > 0) {
    found.serverWords++;
    const ownership = found.candidate.shelf.segment.names.length / Math.max(match.frequency, 1);
    found.serverOwnership = Math.max(found.serverOwnership, Math.min(ownership, 1));
  }
  for (let clause = 0; clause < found.clauses.length; clause++) {
    if ((term.clauses >>> clause) & 1) found.clauses[clause] = (found.clauses[clause] ?? 0) + idf * strength;
  }
}

/** Strength of the matches in what names the tool. */
export function nameStrength({ weighted }: Evidence): number {
  return Math.max(weighted[NAME] ?? 0, weighted[TITLE] ?? 0);
}

function zeros(length: number): number[] {
  return new Array<number>(length).fill(0);
}
