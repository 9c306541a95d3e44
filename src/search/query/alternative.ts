/** A term of the index that can stand for a word of the query. */
export interface Alternative {
  readonly term: string;
  /** What a match of it counts, against 1 for the word itself. */
  readonly discount: number;
  readonly kind: 'word' | 'synonym' | 'joined' | 'typo' | 'prefix';
}
