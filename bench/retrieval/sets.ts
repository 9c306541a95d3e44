import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { idOf } from '../../src/search/rank/exact-first.ts';

export interface ListedTool {
  readonly server: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
}

export interface LabelledQuery {
  readonly query: string;
  readonly relevant: readonly { readonly server: string; readonly name: string; readonly grade?: number }[];
  /** The relevant tools are alternatives: one of them is enough. */
  readonly any?: boolean;
}

export interface QuerySet {
  readonly name: string;
  readonly tools: readonly ListedTool[];
  readonly queries: readonly LabelledQuery[];
}

/** Holds `retrieval` and `catalog`. */
export const DATA_FOLDER = path.resolve(process.env.TOOLSIFT_DATA ?? '../shared');

const SETS = [
  ['livemcp-step', 'livemcp'],
  ['livemcp-task', 'livemcp'],
  ['mcpproxy-golden', 'mcpproxy-golden'],
  ['desktop', 'desktop'],
  ['metatool', 'metatool'],
  ['toollinkos', 'toollinkos'],
  ['toolbench', 'toolbench'],
  ['bfcl-live', 'bfcl-live'],
  ['sealtools', 'sealtools'],
] as const;

/** The name of the set over the catalog. */
export const CATALOG = 'catalog';

/** The public sets, or undefined where they are not laid out. */
export function readSets(folder: string): QuerySet[] | undefined {
  if (!existsSync(path.join(folder, 'sealtools.tools.jsonl'))) return undefined;
  return SETS.map(([name, toolsOf]) => ({
    name,
    tools: readLines<ListedTool>(path.join(folder, `${toolsOf}.tools.jsonl`)),
    queries: readLines<LabelledQuery>(path.join(folder, `${name}.dev.jsonl`)),
  }));
}

/**
 * The tools of the catalog of real servers with queries written for this project, or undefined where the catalog is
 * not laid out.
 */
export function readCatalogSet(folder: string): QuerySet | undefined {
  const tools = readCatalog(folder);
  if (tools.length === 0) return undefined;
  return { name: CATALOG, tools, queries: readLines('bench/retrieval/catalog-queries.jsonl') };
}

/** The tools of the catalog of real servers, or none where it is not laid out. */
export function readCatalog(folder: string): ListedTool[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const { server, tools } = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as {
        server: string;
        tools: Omit<ListedTool, 'server'>[];
      };
      return tools.map((tool) => ({ ...tool, server }));
    });
}

/** The tools of all sets together, each once. */
export function poolOf(sets: readonly QuerySet[]): ListedTool[] {
  return [...new Map(sets.flatMap(({ tools }) => tools).map((tool) => [idOf(tool), tool])).values()];
}

export function readLines<T>(file: string): T[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

export function groupByServer(tools: readonly ListedTool[]): Map<string, ListedTool[]> {
  const servers = new Map<string, ListedTool[]>();
  for (const tool of tools) {
    const listed = servers.get(tool.server);
    if (listed === undefined) servers.set(tool.server, [tool]);
    else listed.push(tool);
  }
  return servers;
}

/** Sets that share their tools are one family: none of them may teach about another. */
export function familyOf(set: string): string {
  return set.replace(/-(step|task)$/, '');
}
