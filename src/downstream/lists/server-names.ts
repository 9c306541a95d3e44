import type { UpstreamViews } from '../upstream-view.ts';

/** Room for server names in texts that every session pays for. */
const MAX_CHARACTERS = 300;

/**
 * The servers behind toolsift as a part of a sentence, e.g. `the MCP servers github, slack and 3 more`.
 */
export function nameServers(upstreams: UpstreamViews): string {
  const names = [...upstreams.values()]
    .filter(({ status }) => status.state !== 'disabled')
    .map(({ name }) => name);
  if (names.length === 0) return 'the MCP servers behind toolsift (none is configured yet)';
  const shown: string[] = [];
  let length = 0;
  for (const name of names) {
    length += name.length + 2;
    if (length > MAX_CHARACTERS && shown.length > 0) break;
    shown.push(name);
  }
  const rest = names.length - shown.length;
  const noun = names.length === 1 ? 'the MCP server' : 'the MCP servers';
  return `${noun} ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
