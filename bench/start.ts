import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type CatalogSession, catalogSession, NO_CATALOG, parseTextBlock } from './catalog-session.ts';
import type { Environment } from './environment.ts';
import { GOALS } from './goals.ts';
import { type Command, LineClient } from './line-client.ts';
import { formatValue } from './report.ts';
import type { Finding, Section } from './section.ts';
import { median, quantile, rotate } from './statistics.ts';

interface Variant {
  readonly what: string;
  readonly measure: () => Promise<number>;
  readonly goal?: { must: number; aim: number };
}

export const start: Section = {
  name: 'start',
  title: 'Start-up: spawn to answer, against a bare Node script that answers `initialize` with a constant',
  measure,
};

async function* measure(environment: Environment): AsyncGenerator<Finding> {
  const bare = environment.fixture('bare-server.mjs');
  const empty = environment.toolsift('empty', { servers: {} });
  const proxy = environment.fixture('sdk-proxy.mjs');
  const variants: Variant[] = [
    { what: 'bare Node: initialize', measure: () => timeToInitialize(bare) },
    { what: 'toolsift, no servers: initialize', measure: () => timeToInitialize(empty), goal: GOALS.start },
    { what: 'plain SDK proxy, no upstream: initialize', measure: () => timeToInitialize(proxy) },
  ];
  const servers = environment.recordedServers();
  const session = servers && (await catalogSession(environment, servers));
  if (session?.isCached) variants.push(...warmVariants(session, servers?.length ?? 0));

  const samples = await interleave(variants, environment.rounds(25, 6));
  const floor = median(samples[0] ?? []);
  for (const [index, { what, goal }] of variants.entries()) {
    const times = samples[index] ?? [];
    const detail = `p50 ${formatValue(median(times), 'ms')}, p90 ${formatValue(quantile(times, 0.9), 'ms')}, min ${formatValue(Math.min(...times), 'ms')}`;
    yield { section: 'start', what, value: median(times) / floor, unit: 'x', detail, ...(goal && { goal }) };
  }
  if (servers === undefined) yield `warm catalog ${NO_CATALOG}`;
  else if (!session?.isCached)
    yield 'warm catalog skipped: a second session did not know the tools of the first (no catalog cache)';
  else yield* processesStarted(session);
}

function warmVariants(session: CatalogSession, servers: number): Variant[] {
  return [
    {
      what: `toolsift, ${servers} servers cached: initialize`,
      measure: () => timeToInitialize(session.command),
      goal: GOALS.startCached,
    },
    {
      what: `toolsift, ${servers} servers cached: first search answer`,
      measure: () => timeToFirstSearch(session),
      goal: GOALS.firstAnswer,
    },
  ];
}

async function interleave(variants: readonly Variant[], rounds: number): Promise<number[][]> {
  const samples: number[][] = variants.map(() => []);
  // One unmeasured round brings the files of every variant into the page cache.
  for (const variant of variants) await variant.measure();
  for (let round = 0; round < rounds; round++)
    for (const [index, variant] of rotate([...variants.entries()], round))
      samples[index]?.push(await variant.measure());
  return samples;
}

async function timeToInitialize(command: Command): Promise<number> {
  const client = new LineClient(command);
  try {
    return (await client.initialize()).receivedAt - client.spawnedAt;
  } finally {
    await client.close();
  }
}

async function timeToFirstSearch({ command, knownTools }: CatalogSession): Promise<number> {
  const client = new LineClient(command);
  try {
    const answer = await firstSearch(client);
    const { known, tools } = parseTextBlock(answer) as { known: number; tools: unknown[] };
    if (known !== knownTools || tools.length === 0)
      throw new Error(`the first search knew ${known} of ${knownTools} tools and found ${tools.length}`);
    return answer.receivedAt - client.spawnedAt;
  } finally {
    await client.close();
  }
}

async function firstSearch(client: LineClient) {
  await client.initialize();
  await client.request('tools/list', {});
  return client.callTool('search_tools', { query: 'create an issue in a repository' });
}

/** A session with a warm catalog that lists and searches must start no upstream. */
async function* processesStarted({ command }: CatalogSession): AsyncGenerator<Finding> {
  const client = new LineClient(command);
  try {
    const children = `/proc/${client.pid}/task`;
    if (!existsSync(children)) return;
    await firstSearch(client);
    const pids = readdirSync(children).flatMap((thread) => childrenOf(client.pid, thread));
    const what = 'upstream processes started by that session';
    yield { section: 'start', what, value: pids.length, unit: 'processes', goal: GOALS.processesStarted };
  } finally {
    await client.close();
  }
}

function childrenOf(pid: number, thread: string): string[] {
  const list = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim();
  return list === '' ? [] : list.split(' ');
}
