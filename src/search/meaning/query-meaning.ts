/** What a query means, as a whole and clause by clause, as vectors of the kind that the tools have. */
export interface QueryMeaning {
  readonly whole: Int8Array;
  /** None for a query of one clause. */
  readonly clauses: readonly Int8Array[];
}

const CLAUSE_BORDER =
  /(?<=[.!?;:])\s+|\n+|,\s{1,20}(?:and|then|also)\s+|\s(?:and then|and also|and|then|also)\s|,\s+/i;
const MIN_CLAUSE_WORDS = 3;
const MAX_CLAUSES = 8;
const MAX_CHARACTERS = 1_000;

/** Cuts a query finer than words are counted by; what is too short to be a clause stays with its neighbour. */
export function clausesOf(query: string): string[] {
  const clauses: string[] = [];
  for (const part of query.slice(0, MAX_CHARACTERS).split(CLAUSE_BORDER)) {
    const text = part.trim();
    if (text === '') continue;
    const last = clauses.at(-1);
    if (last === undefined || (isLong(text) && isLong(last))) clauses.push(text);
    else clauses[clauses.length - 1] = `${last} ${text}`;
  }
  return clauses.length < 2 ? [] : clauses.slice(0, MAX_CLAUSES);
}

function isLong(text: string): boolean {
  return text.split(/\s+/, MIN_CLAUSE_WORDS).length >= MIN_CLAUSE_WORDS;
}

export function readMeaning(query: string, vectorOf: (text: string) => Int8Array): QueryMeaning {
  return { whole: vectorOf(query), clauses: clausesOf(query).map(vectorOf) };
}
