import { ToolIndex } from './search/tool-index.ts';
import type { ToolIndexOptions } from './search/tool-index-options.ts';

export type { ToolKey } from './search/index/collection.ts';
export type { ExplainedWord, Explanation } from './search/rank/explain.ts';
export type { Hit, SearchAnswer } from './search/search-answer.ts';
export type { SearchMode, SearchOptions, Semantic, ToolIndexOptions } from './search/tool-index-options.ts';
export type { ToolIndex };

/**
 * An index of tools that ranks them for a query: in memory, synchronous, without network or model download.
 *
 * @example
 * const index = createToolIndex();
 * index.replaceServer('github', [{ name: 'create_issue', description: 'Open an issue' }]);
 * index.search('report a bug', { limit: 5 }); // [{ server: 'github', name: 'create_issue', score: … }]
 */
export function createToolIndex(options: ToolIndexOptions = {}): ToolIndex {
  return new ToolIndex(options);
}
