import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { createToolIndex } from '../../src/index.ts';
import { writeSearchAnswer } from '../../src/search/answer/answer.ts';
import type { Detail } from '../../src/search/answer/answer-input.ts';
import { estimateTokens } from '../../src/search/answer/token-estimate.ts';
import { groupByServer, type ListedTool } from './sets.ts';

export interface AnswerSizes {
  readonly median: number;
  readonly p95: number;
  readonly highest: number;
  /** Estimate divided by the real number: least, median. */
  readonly leastEstimate: number;
  readonly medianEstimate: number;
}

const HITS = 5;

/** Token sizes (o200k_base) of `search_tools` answers. */
export function measureAnswers(
  tools: readonly ListedTool[],
  queries: readonly string[],
  detail: Detail,
): AnswerSizes {
  const index = createToolIndex();
  for (const [server, listed] of groupByServer(tools)) index.replaceServer(server, listed);
  const definitions = new Map(
    tools.map(({ server, ...tool }) => [JSON.stringify([server, tool.name]), JSON.stringify(tool)]),
  );
  const sizes: number[] = [];
  const ratios: number[] = [];
  for (const query of queries) {
    const answer = index.query(query, { limit: HITS });
    const definitionOf = (server: string, name: string) => definitions.get(JSON.stringify([server, name]));
    const text = writeSearchAnswer({ query, ...answer, servers: index.servers, definitionOf, detail });
    const size = encode(text).length;
    sizes.push(size);
    ratios.push(estimateTokens(text) / size);
  }
  sizes.sort((a, b) => a - b);
  ratios.sort((a, b) => a - b);
  const at = (sorted: readonly number[], share: number) =>
    sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return {
    median: at(sizes, 0.5),
    p95: at(sizes, 0.95),
    highest: at(sizes, 1),
    leastEstimate: at(ratios, 0),
    medianEstimate: at(ratios, 0.5),
  };
}
