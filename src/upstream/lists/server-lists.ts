import { messageOf, ToolsiftError } from '../../errors.ts';
import { METHOD_NOT_FOUND } from '../../mcp/error-codes.ts';
import { LIST_PROMPTS, LIST_RESOURCE_TEMPLATES, LIST_RESOURCES, LIST_TOOLS } from '../../mcp/methods.ts';
import type { Connection } from '../connection.ts';
import { listAll } from './list-all.ts';
import { ListBudget, type ListLimits } from './list-budget.ts';

/** What an upstream offers, every item as the JSON text it wrote. A list that could not be read is undefined. */
export interface ServerLists {
  readonly initializeResult: string;
  /** The `params` of `initialize` that the upstream was asked with. */
  readonly initializeParams: string;
  readonly tools: readonly string[] | undefined;
  readonly resources: readonly string[] | undefined;
  readonly resourceTemplates: readonly string[] | undefined;
  readonly prompts: readonly string[] | undefined;
}

/**
 * Reads the lists of an upstream: tools always, the others where it declares them. A method it does not have is an
 * empty list.
 *
 * @param limits what all lists together may bring
 * @param quote what may be shown of something the upstream wrote
 * @throws ToolsiftError `upstream_lists_too_large` beyond the limits
 * @returns beside the lists, why those that are undefined could not be read
 */
export async function readServerLists(
  connection: Connection,
  { signal, limits }: { readonly signal: AbortSignal; readonly limits: ListLimits },
  quote: (text: string) => string,
): Promise<{ lists: ServerLists; problems: readonly string[] }> {
  const { peer, capabilities, initializeResult, initializeParams } = connection;
  const problems: string[] = [];
  const budget = new ListBudget(limits);
  const list = async (method: string, key: string): Promise<string[] | undefined> => {
    try {
      return await listAll(peer, method, key, { signal, budget });
    } catch (error) {
      if (signal.aborted || peer.isClosed) throw error;
      if (error instanceof ToolsiftError && error.code === 'upstream_lists_too_large') throw error;
      if (error instanceof ToolsiftError && error.facts.rpcCode === METHOD_NOT_FOUND) return [];
      problems.push(quote(messageOf(error)));
      return undefined;
    }
  };
  const none = Promise.resolve([]);
  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    list(LIST_TOOLS, 'tools'),
    capabilities.has('resources') ? list(LIST_RESOURCES, 'resources') : none,
    capabilities.has('resources') ? list(LIST_RESOURCE_TEMPLATES, 'resourceTemplates') : none,
    capabilities.has('prompts') ? list(LIST_PROMPTS, 'prompts') : none,
  ]);
  const lists = { initializeResult, initializeParams, tools, resources, resourceTemplates, prompts };
  return { lists, problems };
}
