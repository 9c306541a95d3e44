import { ToolsiftError } from '../../errors.ts';
import { parseConfigTree, treeValue } from '../text/config-tree.ts';
import { isObject } from '../text/json-value.ts';

const SOURCE = '--json';

/** Parses one server's entry as given on the command line.  */
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
  return entry;
}
