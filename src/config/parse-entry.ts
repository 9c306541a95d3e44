import { ToolsiftError } from '../errors.ts';
import { configValue, parseConfigText } from './config-text.ts';
import { describeProblems } from './describe-problems.ts';
import { readEntry } from './read-entry.ts';

const SOURCE = '--json';

/** Parses one server's entry as given on the command line. Keys nobody knows fail as they do in a file. */
export async function parseEntry(text: string): Promise<object> {
  const content = await parseConfigText(SOURCE, text);
  const entry = configValue(content);
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
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
