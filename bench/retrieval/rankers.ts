import MiniSearch from 'minisearch';
import { createToolIndex } from '../../src/index.ts';
import type { ToolKey } from '../../src/search/index/collection.ts';
import { readToolText } from '../../src/search/index/tool-text.ts';
import type { SearchMode } from '../../src/search/tool-index-options.ts';
import { groupByServer, type ListedTool } from './sets.ts';

export interface Ranker {
  readonly name: string;
  /** Indexes tools and returns the search over them. */
  readonly index: (tools: readonly ListedTool[]) => (query: string, limit: number) => ToolKey[];
}

export const RANKERS: readonly Ranker[] = [
  { name: 'MiniSearch defaults', index: miniSearchDefaults },
  { name: 'plain BM25', index: plainBm25 },
  { name: 'toolsift, words', index: toolsift('words') },
  { name: 'toolsift, lexical', index: toolsift('lexical') },
  { name: 'toolsift', index: toolsift('learned') },
];

function toolsift(mode: SearchMode): Ranker['index'] {
  return (tools) => {
    const index = createToolIndex({ mode });
    for (const [server, listed] of groupByServer(tools)) index.replaceServer(server, listed);
    return (query, limit) => index.search(query, { limit });
  };
}

/** What a first version would use: MiniSearch as it comes, over name and description. */
function miniSearchDefaults(tools: readonly ListedTool[]): (query: string, limit: number) => ToolKey[] {
  const search = new MiniSearch({ fields: ['name', 'description'] });
  search.addAll(tools.map(({ name, description }, id) => ({ id, name, description: description ?? '' })));
  return (query, limit) =>
    search
      .search(query)
      .slice(0, limit)
      .flatMap(({ id }) => tools[id as number] ?? []);
}

/** Okapi BM25 over name, description and arguments as one text, lower case words, nothing else. */
function plainBm25(tools: readonly ListedTool[]): (query: string, limit: number) => ToolKey[] {
  const k1 = 1.5;
  const b = 0.75;
  const postings = new Map<string, Map<number, number>>();
  const lengths = tools.map((tool, id) => {
    const words = wordsOf(textOf(tool));
    for (const word of words) {
      const documents = postings.get(word) ?? new Map<number, number>();
      documents.set(id, (documents.get(id) ?? 0) + 1);
      postings.set(word, documents);
    }
    return words.length;
  });
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(lengths.length, 1);
  return (query, limit) => {
    const scores = new Map<number, number>();
    for (const word of new Set(wordsOf(query))) {
      const documents = postings.get(word) ?? new Map<number, number>();
      const idf = Math.log(1 + (tools.length - documents.size + 0.5) / (documents.size + 0.5));
      for (const [id, count] of documents) {
        const norm = count + k1 * (1 - b + (b * (lengths[id] ?? 0)) / average);
        scores.set(id, (scores.get(id) ?? 0) + (idf * count * (k1 + 1)) / norm);
      }
    }
    return [...scores]
      .sort(([a, left], [c, right]) => right - left || a - c)
      .slice(0, limit)
      .flatMap(([id]) => tools[id] ?? []);
  };
}

function textOf(tool: ListedTool): string {
  const text = readToolText(tool);
  return text === undefined
    ? ''
    : [text.name, text.description, ...text.argumentNames, ...text.argumentDescriptions].join(' ');
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
