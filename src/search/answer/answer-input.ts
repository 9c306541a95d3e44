import type { ToolKey } from '../index/collection.ts';

/** A server that was not searched, or not completely. */
export interface Unavailable {
  readonly server: string;
  readonly state: string;
  /** What happened. */
  readonly reason: string;
  /** What to do about it. */
  readonly fix?: string | undefined;
}

/** `full` shows input schemas while they fit, `brief` a first sentence and a signature, `names` names alone. */
export type Detail = 'full' | 'brief' | 'names';

export interface AnswerInput {
  readonly query: string;
  readonly hits: readonly ToolKey[];
  /** The JSON text of a tool's entry in `tools/list`, exactly as its upstream wrote it. */
  readonly definitionOf: (server: string, name: string) => string | undefined;
  readonly matched: number;
  readonly known: number;
  readonly unavailable?: readonly Unavailable[] | undefined;
  readonly detail?: Detail | undefined;
  /** Most tokens the answer may cost. Default 4,000. A single hit gets its schema even if it costs more. */
  readonly maxTokens?: number | undefined;
  /** Words of the query that no tool has. */
  readonly unknownWords?: readonly string[] | undefined;
  /** Share of the query's meaning that the best hit covers, 0 to 1. */
  readonly coverage?: number | undefined;
  /** How near the best hit's meaning is to the query's; undefined where none is compared. */
  readonly likeness?: number | undefined;
  /** Tools of other servers that rank nearly as high as the best. */
  readonly rivals?: readonly ToolKey[] | undefined;
  /** Tools to name when nothing fits. */
  readonly nearest?: readonly ToolKey[] | undefined;
  /** Servers to name when nothing fits. */
  readonly servers?: readonly string[] | undefined;
}
