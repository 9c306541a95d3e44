import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { catalogSession, NO_CATALOG, textBlock, untilAllListed } from './catalog-session.ts';
import type { Environment } from './environment.ts';
import { GOALS } from './goals.ts';
import { LineClient, parseAnswer } from './line-client.ts';
import { type Figure, formatValue, type Goal } from './report.ts';
import type { Finding, Section } from './section.ts';
import { median, quantile } from './statistics.ts';

const QUERIES = 50;
const HITS = 5;

export const tokens: Section = {
  name: 'tokens',
  title: 'Tokens (o200k_base): what an agent reads before its first word, and for each search',
  measure,
};

async function* measure(environment: Environment): AsyncGenerator<Finding> {
  yield* menu(environment.toolsift('empty', { servers: {} }), 'no servers');
  const servers = environment.recordedServers();
  if (servers === undefined) {
    yield `menu and searches over the catalog ${NO_CATALOG}`;
    return;
  }
  const session = await catalogSession(environment, servers);
  yield* menu(session.command, `${servers.length} servers`);
  const everything = servers.reduce((sum, { tools }) => sum + countTokens(JSON.stringify(tools)), 0);
  yield count(`without toolsift: all ${session.knownTools - 1} tools of these servers`, everything);

  const queries = readQueries();
  if (queries === undefined) {
    yield 'search answers skipped: ../shared/retrieval with its queries is not there';
    return;
  }
  const client = new LineClient(session.command);
  try {
    await client.initialize();
    await untilAllListed(client, session.knownTools);
    yield* searches(client, queries, session.knownTools);
  } finally {
    await client.close();
  }
}

/** The list exactly as `tools/list` answers it; hosts hand the model a part of that, never more. */
async function* menu(
  command: ConstructorParameters<typeof LineClient>[0],
  label: string,
): AsyncGenerator<Figure> {
  const client = new LineClient(command);
  try {
    const { instructions = '' } = parseAnswer(await client.initialize()).result as { instructions?: string };
    const { tools } = parseAnswer(await client.request('tools/list', {})).result as { tools: Definition[] };
    yield count(`menu, ${label}: tools/list as sent`, countTokens(JSON.stringify(tools)), GOALS.menuTokens);
    const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    yield count(
      `menu, ${label}: name, description, input schema`,
      countTokens(JSON.stringify(shown)),
      GOALS.menuTokens,
    );
    yield count(`instructions, ${label}`, countTokens(instructions));
  } finally {
    await client.close();
  }
}

interface Definition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

async function* searches(
  client: LineClient,
  queries: readonly string[],
  known: number,
): AsyncGenerator<Figure> {
  const cold = await searchAll(client, queries, known);
  const warm = await searchAll(client, queries, known);
  const sizes = cold.map(({ tokens }) => tokens);
  const over = `search answer, k = ${HITS}, ${queries.length} queries over ${known} tools`;
  yield count(`${over}: median`, median(sizes), GOALS.searchTokensMedian);
  yield count(`${over}: p95`, quantile(sizes, 0.95), GOALS.searchTokensP95);
  yield count(`${over}: largest`, Math.max(...sizes));
  const times = warm.map(({ elapsedMs }) => elapsedMs);
  const firstTimes = cold.map(({ elapsedMs }) => elapsedMs);
  for (const [label, q, goal] of [
    ['p50', 0.5, GOALS.searchMedian],
    ['p95', 0.95, GOALS.searchP95],
  ] as const) {
    const detail = `in the session's first searches ${formatValue(quantile(firstTimes, q), 'ms')}`;
    const what = `the same, call to answer over stdio: ${label}`;
    yield { section: 'tokens', what, value: quantile(times, q), unit: 'ms', goal, detail };
  }
}

async function searchAll(
  client: LineClient,
  queries: readonly string[],
  known: number,
): Promise<{ tokens: number; elapsedMs: number }[]> {
  const searched = [];
  for (const query of queries) {
    const startedAt = performance.now();
    const answer = await client.callTool('search_tools', { query, k: HITS });
    const elapsedMs = answer.receivedAt - startedAt;
    const text = textBlock(answer);
    const found = JSON.parse(text) as { tools: unknown[]; known: number };
    if (found.known !== known || found.tools.length > HITS)
      throw new Error(`search "${query}" knew ${found.known} of ${known} tools, ${found.tools.length} hits`);
    searched.push({ tokens: countTokens(text), elapsedMs });
  }
  return searched;
}

function count(what: string, value: number, goal?: Goal): Figure {
  return { section: 'tokens', what, value, unit: 'tokens', ...(goal && { goal }) };
}

/** The same queries every time: from each set in turn, spread evenly over the set. */
function readQueries(): string[] | undefined {
  const folder = path.resolve('../shared/retrieval');
  if (!existsSync(folder)) return undefined;
  const files = readdirSync(folder).filter((name) => name.endsWith('.dev.jsonl'));
  const perSet = Math.ceil(QUERIES / files.length);
  const spread = files.sort().map((name) => {
    const lines = readFileSync(path.join(folder, name), 'utf8').trim().split('\n');
    return Array.from(
      { length: perSet },
      (_, index) => lines[Math.floor((index * lines.length) / perSet)] ?? '',
    );
  });
  const inTurn = Array.from({ length: perSet }, (_, index) =>
    spread.map((lines) => lines[index] ?? ''),
  ).flat();
  return inTurn.slice(0, QUERIES).map((line) => (JSON.parse(line) as { query: string }).query);
}
