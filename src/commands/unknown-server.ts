import { nearestFirst } from '../config/text/nearest.ts';
import { ToolsiftError } from '../errors.ts';

const MOST_NAMES = 20;

/**
 * The answer to the name of a server that a file does not have.
 *
 * @param file the configuration file
 * @param names the servers it has
 */
export function unknownServer(name: string, file: string, names: readonly string[]): ToolsiftError {
  const shown = nearestFirst(name, names).slice(0, MOST_NAMES);
  const more = names.length > shown.length ? `, and ${names.length - shown.length} more` : '';
  const list =
    shown.length === 0 ? 'it has no servers' : `it has ${shown.map((each) => `"${each}"`).join(', ')}${more}`;
  return new ToolsiftError('unknown_server', `no server "${name}" in ${file}; ${list}`, {
    facts: { server: name },
  });
}
