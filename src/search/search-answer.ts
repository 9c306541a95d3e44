import type { ToolKey } from './index/collection.ts';

export interface Hit extends ToolKey {
  /** Comparable within one answer only. */
  readonly score: number;
}

export interface SearchAnswer {
  readonly hits: Hit[];
  /** Tools that have at least one of the query's words. */
  readonly matched: number;
  /** Tools that were searched. */
  readonly known: number;
  /** Words of the query that no searched tool has, nor anything that could stand for them. */
  readonly unknownWords: string[];
  /** Share of the query's meaning that the best hit covers, 0 to 1. */
  readonly coverage: number;
  /** How near the best hit's meaning is to the query's, 1 for a tool that is named; undefined where none is compared. */
  readonly likeness: number | undefined;
  /** Hits of other servers that rank nearly as high as the best, which the query does not choose between. */
  readonly rivals: readonly ToolKey[];
}
