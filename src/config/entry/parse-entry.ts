import { ToolsiftError } from '../../errors.ts';
import { describeProblems } from '../schema/describe-problems.ts';
import { isObject } from '../schema/shape.ts';
import { parseConfigTree, treeValue } from '../text/config-tree.ts';
import { readEntry } from './read-entry.ts';

const SOURCE = '--json';

/** Parses one server's entry as given on the command line. Keys nobody knows fail as they do in a file. */
export function parseEntry(text: string): object {
  const content = parseConfigTree(SOURCE, text);
  const entry = treeValue(content);
  if (!isObject(entry)) {
    throw new ToolsiftError(
      'usage',
      `${SOURCE} must be the object of one server, {"command": …} or {"url": …}`,
    );
  }
  for (const key of ['mcpServers', 'servers']) {
    if (key in entry)
      throw new ToolsiftError('usage', `${SOURCE} takes what stands behind the name in "${key}"`);
  }
  const { unknownKeys } = readEntry('', entry, { folder: '', cwd: '' });
  if (unknownKeys.length === 0) return entry;
  const problems = unknownKeys.map((path) => ({ path, unknownKeyIn: 'entry' as const }));
  throw new ToolsiftError('usage', describeProblems(content, problems));
}
