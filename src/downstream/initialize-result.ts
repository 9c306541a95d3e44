import type { Catalog } from '../catalog/catalog.ts';
import { nameServers } from './lists/server-names.ts';
import type { UpstreamViews } from './upstream-view.ts';

/** Versions we speak, newest first. */
export const PROTOCOL_VERSIONS = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
] as const;
export const NEWEST_VERSION = PROTOCOL_VERSIONS[0];

/** Capabilities beside `tools` that we pass on where an upstream has them. */
const PASSED_ON: ReadonlyMap<string, object> = new Map([
  ['resources', { subscribe: true, listChanged: true }],
  ['prompts', { listChanged: true }],
  ['completions', {}],
  ['logging', {}],
  ['tasks', { list: {}, cancel: {}, requests: { tools: { call: {} } } }],
]);
/** What is assumed of a server nobody has seen yet: a client asks for these only where they were declared. */
const ASSUMED = new Set(['resources', 'prompts', 'completions', 'logging']);

/** The version to answer with: the client's where we know it, else our newest. */
export function answeredVersion(asked: unknown): string {
  return PROTOCOL_VERSIONS.find((version) => version === asked) ?? NEWEST_VERSION;
}

export interface InitializeResultOptions {
  readonly protocolVersion: string;
  readonly version: string;
  readonly catalog: Catalog;
  readonly upstreams: UpstreamViews;
}

/** Our answer to `initialize`, at once and from what the catalog knows, whatever the upstreams do. */
export function initializeResult({
  protocolVersion,
  version,
  catalog,
  upstreams,
}: InitializeResultOptions): string {
  return JSON.stringify({
    protocolVersion,
    capabilities: { tools: { listChanged: true }, ...passedOn(catalog, upstreams) },
    serverInfo: { name: 'toolsift', title: 'toolsift', version },
    instructions: instructionsFor(upstreams),
  });
}

// Hosts cut instructions, some after 240 characters: what to do comes first.
function instructionsFor(upstreams: UpstreamViews): string {
  return [
    'The tools of more MCP servers are reached through this one. Call search_tools with the task in plain words, then invoke_tool with the server, name and arguments of a hit.',
    'Do not conclude that a tool is missing before you have searched.',
    `Behind it: ${nameServers(upstreams)}. list_servers tells their states.`,
  ].join(' ');
}

function passedOn(catalog: Catalog, upstreams: UpstreamViews): Record<string, object> {
  const declared = new Set<string>();
  for (const { name, status } of upstreams.values()) {
    if (status.state === 'disabled' || status.state === 'failed') continue;
    for (const key of capabilityNames(catalog, name)) declared.add(key);
  }
  return Object.fromEntries([...PASSED_ON].filter(([key]) => declared.has(key)));
}

function capabilityNames(catalog: Catalog, server: string): Iterable<string> {
  const known = catalog.upstream(server);
  if (known === undefined) return ASSUMED;
  const result = JSON.parse(known.snapshot.initializeResult) as { capabilities?: unknown } | null;
  const capabilities = result?.capabilities;
  return typeof capabilities === 'object' && capabilities !== null ? Object.keys(capabilities) : [];
}
