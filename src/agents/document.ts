import { readConfigFile } from '../config/text/config-text.ts';
import { parseConfigTree, treeValue } from '../config/text/config-tree.ts';
import { errorText, ToolsiftError } from '../errors.ts';
import type { AgentFile } from './agent.ts';

/** What a file of an agent says. */
export interface Document {
  readonly value: unknown;
  readonly text: string;
}

/**
 * Reads a file of an agent, JSON with comments and trailing commas, or YAML.
 *
 * @throws ToolsiftError `config_invalid` with line and reason where it is neither
 */
export async function readDocument(file: string, format: AgentFile['format']): Promise<Document> {
  const text = readConfigFile(file);
  if (format === 'json') return { text, value: treeValue(parseConfigTree(file, text)) };
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { merge: true, version: '1.2' });
  const [error] = document.errors;
  if (error === undefined) return { text, value: document.toJS({ maxAliasCount: 1000 }) };
  const line = error.linePos?.[0].line;
  throw new ToolsiftError(
    'config_invalid',
    `${file} is not valid YAML: line ${line ?? '?'}: ${reasonOf(error)}`,
  );
}

/** The sentence of an error, without the excerpt, which may hold a secret. */
function reasonOf(error: Error): string {
  return errorText(error.message.split(' at line ')[0] ?? '');
}
