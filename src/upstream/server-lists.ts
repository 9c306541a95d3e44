import { errorText, ToolsiftError } from '../errors.ts';
import type { Connection } from './connection.ts';
import { listAll } from './list-all.ts';

/** What an upstream offers, every item as the JSON text it wrote. */
export interface ServerLists {
  readonly initializeResult: string;
  readonly tools: readonly string[];
  readonly resources: readonly string[];
  readonly resourceTemplates: readonly string[];
  readonly prompts: readonly string[];
}

const METHOD_NOT_FOUND = -32601;

/**
 * Reads the lists of an upstream: tools always, the others where it declares them.
 *
 * @returns `problem` says why the tools could not be read; the lists are empty where they could not
 */
export async function readServerLists(
  connection: Connection,
  signal: AbortSignal,
): Promise<{ lists: ServerLists; problem: string | undefined }> {
  const { peer, capabilities } = connection;
  let problem: string | undefined;
  const list = async (method: string, key: string): Promise<string[]> => {
    try {
      return await listAll(peer, method, key, signal);
    } catch (error) {
      if (signal.aborted || peer.isClosed) throw error;
      const isUnsupported = error instanceof ToolsiftError && error.facts.rpcCode === METHOD_NOT_FOUND;
      if (!isUnsupported) problem ??= errorText(error);
      return [];
    }
  };
  const none = Promise.resolve([]);
  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    list('tools/list', 'tools'),
    capabilities.has('resources') ? list('resources/list', 'resources') : none,
    capabilities.has('resources') ? list('resources/templates/list', 'resourceTemplates') : none,
    capabilities.has('prompts') ? list('prompts/list', 'prompts') : none,
  ]);
  const { initializeResult } = connection;
  return { lists: { initializeResult, tools, resources, resourceTemplates, prompts }, problem };
}
