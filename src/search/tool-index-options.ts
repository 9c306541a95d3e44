/**
 * `learned`: everything. `lexical`: without the learned second stage. `words`: without synonyms, typo repair and
 * the like either; only the words themselves, stemmed.
 */
export type SearchMode = 'learned' | 'lexical' | 'words';

/** `static`: word vectors of the package. `off`: words alone. */
export type Semantic = 'static' | 'off';

export interface ToolIndexOptions {
  /** Which stages rank. Default `learned`. */
  readonly mode?: SearchMode | undefined;
  /** What tells meanings without a shared word. Default `static`; only in the mode `learned`. */
  readonly semantic?: Semantic | undefined;
}

export interface SearchOptions {
  /** Most hits to return. Default 10. */
  readonly limit?: number | undefined;
  /** Search only this server, or only these. Default: all. */
  readonly server?: string | readonly string[] | undefined;
}
