import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { invokeSomething, pick, searchSomething } from './agent.ts';
import { judgeGrowth, Outcomes, printUsage } from './figures.ts';
import { killAtRandomMoments } from './kill-moments.ts';
import type { SoakClient } from './soak-client.ts';
import { SoakHome, type SoakServer } from './soak-home.ts';

/** Clients, each with a toolsift process of its own; all of one user, so they share configuration and catalog. */
const CLIENTS = 8;
const CALLERS_PER_CLIENT = 2;
const SERVERS = 30;
const CALM_SERVERS = 6;
/** A client works with a few servers at a time, and then with others: 240 processes would be another test. */
const WINDOW = 4;
const WINDOW_MS = 20_000;
const PAUSE_MS = 150;
const SHARE_OF_SEARCHES = 0.3;
/** The first figures are taken when everything has been loaded and called once. */
const WARM_UP_MS = 15_000;
/** Servers of a client that was killed leave when they see their stdin end. */
const LEAVE_MS = 5_000;
const MOST_SHOWN = 25;
/** Few servers with long lists: most of a start is reading and writing these. */
const KILL_SERVERS = 4;
const KILL_TOOLS = 3000;

const { values } = parseArgs({
  options: {
    /** How long the clients go on. */
    minutes: { type: 'string', default: '10' },
    /** How often toolsift is killed outright afterwards. */
    kills: { type: 'string', default: '50' },
  },
});
const totalMs = Number(values.minutes) * 60_000;
const problems: string[] = [];
const outcomes = new Outcomes();

if (totalMs > 0) await withHome(serversOf(SERVERS, CALM_SERVERS, 0), soak);
await withHome(serversOf(KILL_SERVERS, KILL_SERVERS, KILL_TOOLS), async (home) => {
  problems.push(...(await killAtRandomMoments(home, Number(values.kills))));
  console.log(`killed ${values.kills} times at a random moment of a start, a refresh or a write`);
});
for (const problem of problems.slice(0, MOST_SHOWN)) console.log(`PROBLEM ${problem}`);
console.log(problems.length === 0 ? 'ok' : `${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

function serversOf(count: number, calm: number, furtherTools: number): SoakServer[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `s${String(index).padStart(2, '0')}`,
    isCalm: index < calm,
    furtherTools,
  }));
}

async function withHome(
  servers: readonly SoakServer[],
  run: (home: SoakHome) => Promise<void>,
): Promise<void> {
  const home = new SoakHome(servers, { idleStopSeconds: 8, topK: 3 });
  try {
    await run(home);
    await sleep(LEAVE_MS);
    const left = home.runningPids();
    const stray = home.strayFiles();
    console.log(`left behind: ${left.length} processes, ${stray.length} temporary files and sockets`);
    if (left.length > 0) problems.push(`processes left: ${left.map(home.describe).join('; ')}`);
    if (stray.length > 0) problems.push(`files left: ${stray.join(', ')}`);
  } finally {
    home.remove();
  }
}

async function soak(home: SoakHome): Promise<void> {
  await prepareCatalog(home);
  const clients = Array.from({ length: CLIENTS }, () => home.start());
  await Promise.all(clients.map((client) => client.initialize()));
  const endAt = performance.now() + totalMs;
  const callers = clients.flatMap((client, index) =>
    Array.from({ length: CALLERS_PER_CLIENT }, () => callUntil(client, home, index, endAt)),
  );
  const warmUpMs = Math.min(WARM_UP_MS, totalMs / 4);
  await sleep(warmUpMs);
  printUsage(clients, 'start');
  await sleep(totalMs / 2 - warmUpMs);
  const middle = printUsage(clients, 'middle');
  await Promise.all(callers);
  problems.push(...judgeGrowth(middle, printUsage(clients, 'end')));
  for (const [index, client] of clients.entries()) {
    if (client.hasExited) problems.push(`toolsift ${index} ended before its client left`);
    problems.push(...client.junk.map((line) => `toolsift ${index} wrote ${line}`));
  }
  const closings = await Promise.all(clients.map((client) => client.close()));
  problems.push(...closings.filter((closing) => closing !== undefined));
  outcomes.print();
  const changes = clients.reduce((sum, { listChanges }) => sum + listChanges, 0);
  console.log(`list changes told to the clients, whose own lists never changed: ${changes}`);
  if (changes > 0) problems.push(`${changes} list changes were told although nothing is pinned`);
}

/** Sessions list every server, so that the clients start with what is known; at random some are not at once. */
async function prepareCatalog(home: SoakHome): Promise<void> {
  for (let tries = 0; tries < 5 && home.knownServers() < SERVERS; tries++) {
    const client = home.start();
    await client.initialize();
    const end = performance.now() + 20_000;
    while (performance.now() < end && home.knownServers() < SERVERS) await sleep(250);
    await client.close();
  }
  console.log(`prepared: ${home.knownServers()} of ${SERVERS} servers are known`);
}

async function callUntil(client: SoakClient, home: SoakHome, index: number, endAt: number): Promise<void> {
  for (let n = 1; performance.now() < endAt && !client.hasExited; n++) {
    const first = (index * WINDOW + Math.floor(performance.now() / WINDOW_MS)) % home.servers.length;
    const window = [...home.servers, ...home.servers].slice(first, first + WINDOW);
    try {
      const isSearch = Math.random() < SHARE_OF_SEARCHES;
      const outcome = isSearch
        ? await searchSomething(client, pick(home.servers))
        : await invokeSomething(client, pick(window), index * 1_000_000 + n);
      outcomes.add(outcome.label, outcome.tookMs);
      if (outcome.problem !== undefined) problems.push(outcome.problem);
    } catch (error) {
      problems.push(String(error));
    }
    await sleep(Math.random() * 2 * PAUSE_MS);
  }
}
