import type { ServerCapability } from '../mcp/capabilities.ts';
import { nameServers } from './lists/server-names.ts';
import type { UpstreamViews } from './upstream-view.ts';

/** Capabilities beside `tools` that we pass on where an upstream has them. */
const PASSED_ON: ReadonlyMap<string, object> = new Map<ServerCapability, object>([
  ['resources', { subscribe: true, listChanged: true }],
  ['prompts', { listChanged: true }],
  ['completions', {}],
  ['logging', {}],
  ['tasks', { list: {}, cancel: {}, requests: { tools: { call: {} } } }],
]);
/** What is assumed of a server nobody has seen yet: a client asks for these only where they were declared. */
const ASSUMED = new Set<ServerCapability>(['resources', 'prompts', 'completions', 'logging']);

type KnownCapabilities = ReadonlyMap<string, ReadonlySet<string>>;

export interface InitializeResultOptions {
  readonly protocolVersion: string;
  readonly version: string;
  /** Names of the capabilities that servers are known to declare, by their names. */
  readonly known: KnownCapabilities;
  readonly upstreams: UpstreamViews;
  /** Why nothing of what is configured runs, and what to do. */
  readonly notice?: string | undefined;
}

/** Our answer to `initialize`, at once and from what the catalog knows, whatever the upstreams do. */
export function initializeResult({
  protocolVersion,
  version,
  known,
  upstreams,
  notice,
}: InitializeResultOptions): string {
  return JSON.stringify({
    protocolVersion,
    capabilities: { tools: { listChanged: true }, ...passedOn(known, upstreams) },
    serverInfo: { name: 'toolsift', title: 'toolsift', version },
    instructions: instructionsFor(upstreams, notice),
  });
}

// Hosts cut instructions, some after 240 characters: what to do comes first.
function instructionsFor(upstreams: UpstreamViews, notice?: string): string {
  const advice = [
    'The tools of more MCP servers are reached through this one. Call search_tools with the task in plain words, then invoke_tool with the server, name and arguments of a hit.',
    'Do not conclude that a tool is missing before you have searched.',
    `Behind it: ${nameServers(upstreams)}. list_servers tells their states.`,
  ].join(' ');
  return notice === undefined ? advice : `${notice}\n${advice}`;
}

function passedOn(known: KnownCapabilities, upstreams: UpstreamViews): Record<string, object> {
  const declared = new Set<string>();
  for (const { name, status } of upstreams.values()) {
    if (status.state === 'disabled' || status.state === 'failed') continue;
    for (const key of known.get(name) ?? ASSUMED) declared.add(key);
  }
  return Object.fromEntries([...PASSED_ON].filter(([key]) => declared.has(key)));
}
