import { setTimeout as delay } from 'node:timers/promises';
import { type Environment, fixtureEntry, type RecordedServer } from './environment.ts';
import { type Answer, type Command, LineClient, parseAnswer } from './line-client.ts';

const ALL_LISTED_TIMEOUT_MS = 180_000;
const POLL_MS = 250;
const PAYLOAD_TOOLS = 1;

export const NO_CATALOG = 'skipped: ../shared/catalog with its recorded tool lists is not there';

export interface ServerRow {
  readonly name: string;
  readonly tools: number;
  readonly state: string;
}

/**
 * toolsift in front of every recorded server, plus the payload server. Construction lists all of them once, which
 * fills the catalog cache of the benchmark's own home.
 */
export interface CatalogSession {
  readonly command: Command;
  readonly knownTools: number;
  /** A fresh session knew every tool before any server could have been started. */
  readonly isCached: boolean;
}

const prepared = new WeakMap<Environment, Promise<CatalogSession>>();

/** The session all sections share; listed once per run of the benchmark. */
export function catalogSession(
  environment: Environment,
  servers: readonly RecordedServer[],
): Promise<CatalogSession> {
  const existing = prepared.get(environment) ?? prepare(environment, servers);
  prepared.set(environment, existing);
  return existing;
}

async function prepare(
  environment: Environment,
  servers: readonly RecordedServer[],
): Promise<CatalogSession> {
  const replayed = servers.map(({ name, file }) => [name, fixtureEntry('replay-server.mjs', file)] as const);
  const config = {
    servers: { ...Object.fromEntries(replayed), payload: fixtureEntry('payload-server.mjs') },
  };
  const command = environment.toolsift('catalog', config);
  const knownTools = servers.reduce((sum, { tools }) => sum + tools.length, PAYLOAD_TOOLS);
  const first = new LineClient(command);
  try {
    await first.initialize();
    await untilAllListed(first, knownTools);
  } finally {
    await first.close();
  }
  return { command, knownTools, isCached: await knowsAllAtOnce(command, knownTools) };
}

async function knowsAllAtOnce(command: Command, knownTools: number): Promise<boolean> {
  const client = new LineClient(command);
  try {
    await client.initialize();
    return countTools(await listServers(client)) === knownTools;
  } finally {
    await client.close();
  }
}

export async function untilAllListed(client: LineClient, knownTools: number): Promise<void> {
  const deadline = performance.now() + ALL_LISTED_TIMEOUT_MS;
  for (;;) {
    const rows = await listServers(client);
    if (countTools(rows) === knownTools) return;
    if (performance.now() > deadline) throw new Error(notListed(rows, knownTools));
    await delay(POLL_MS);
  }
}

async function listServers(client: LineClient): Promise<ServerRow[]> {
  const { servers } = parseTextBlock(await client.callTool('list_servers', {})) as { servers: ServerRow[] };
  return servers;
}

/** The JSON inside the one text block of a meta-tool's answer. */
export function parseTextBlock(answer: Answer): unknown {
  return JSON.parse(textBlock(answer));
}

export function textBlock(answer: Answer): string {
  const { result, error } = parseAnswer(answer);
  if (error) throw new Error(`a meta-tool answered with error ${error.code}: ${error.message}`);
  const { content } = result as { content: { text: string }[] };
  if (content[0]?.text === undefined) throw new Error('a meta-tool answered without a text block');
  return content[0].text;
}

function countTools(rows: readonly ServerRow[]): number {
  return rows.reduce((sum, { tools }) => sum + (tools ?? 0), 0);
}

function notListed(rows: readonly ServerRow[], knownTools: number): string {
  const states = rows.map(({ name, tools, state }) => `${name} ${state} ${tools}`).join(', ');
  return `toolsift lists ${countTools(rows)} of ${knownTools} tools after ${ALL_LISTED_TIMEOUT_MS} ms: ${states}`;
}
