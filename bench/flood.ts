import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Environment, fixtureEntry } from './environment.ts';
import { GOALS } from './goals.ts';
import { LineClient, parseAnswer } from './line-client.ts';
import { formatValue } from './report.ts';
import { invokePayload, type PayloadArguments } from './routes.ts';
import type { Finding, Section } from './section.ts';
import { median, quantile } from './statistics.ts';

const PER_SECOND = 200_000;
const SMALL: PayloadArguments = { kind: 'text', bytes: 200 };
/** Calls as an agent makes them: one after the other, with a little time between. */
const BETWEEN_CALLS_MS = 2;

export const flood: Section = {
  name: 'flood',
  title: `One server sends ${PER_SECOND.toLocaleString('en-US')} notifications a second: calls of another, and memory`,
  measure,
};

async function* measure(environment: Environment): AsyncGenerator<Finding> {
  const config = {
    servers: { payload: fixtureEntry('payload-server.mjs'), flood: fixtureEntry('flood-server.mjs') },
  };
  const client = new LineClient(environment.toolsift('flood', config));
  try {
    await client.initialize();
    await setFlood(client, 0);
    for (let count = 0; count < 200; count++) await invokePayload(client, SMALL);
    const [calm, flooded]: [number[], number[]] = [[], []];
    const resident: number[] = [];
    let delivered = 0;
    let floodMs = 0;
    for (let round = 0; round < environment.rounds(6, 2); round++) {
      calm.push(...(await timeCalls(client, environment.rounds(300, 150))));
      await setFlood(client, PER_SECOND);
      await pause(500);
      const before = client.unasked;
      const startedAt = performance.now();
      flooded.push(...(await timeCalls(client, environment.rounds(300, 150), resident)));
      floodMs += performance.now() - startedAt;
      delivered += client.unasked - before;
      await setFlood(client, 0);
      await untilQuiet(client);
    }
    const rate = formatValue((delivered * 1_000) / floodMs, 'calls/s').replace('calls', 'notifications');
    yield {
      section: 'flood',
      what: 'p99 of calls of another server, with the flood to without',
      value: quantile(flooded, 0.99) / quantile(calm, 0.99),
      unit: 'x',
      goal: GOALS.flooded,
      detail: `p50 ${formatValue(median(calm), 'ms')} to ${formatValue(median(flooded), 'ms')}, p99 ${formatValue(quantile(calm, 0.99), 'ms')} to ${formatValue(quantile(flooded, 0.99), 'ms')}; ${rate} delivered`,
    };
    if (resident.length === 0) {
      yield 'memory under the flood skipped: it is read from /proc';
      return;
    }
    const third = Math.floor(resident.length / 3);
    const [first, last] = [median(resident.slice(0, third)), median(resident.slice(-third))];
    yield {
      section: 'flood',
      what: 'memory in the last third of the flood, to the first',
      value: last / first,
      unit: 'x',
      goal: GOALS.floodedMemory,
      detail: `${(first / 1e6).toFixed(1)} MB to ${(last / 1e6).toFixed(1)} MB, at most ${(Math.max(...resident) / 1e6).toFixed(1)} MB`,
    };
  } finally {
    await client.close();
  }
}

async function setFlood(client: LineClient, perSecond: number): Promise<void> {
  const args = { server: 'flood', name: 'flood', arguments: { perSecond } };
  const { error } = parseAnswer(await client.callTool('invoke_tool', args));
  if (error !== undefined) throw new Error(error.message);
}

async function timeCalls(client: LineClient, count: number, resident?: number[]): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < count; call++) {
    const startedAt = performance.now();
    parseAnswer(await invokePayload(client, SMALL));
    times.push(performance.now() - startedAt);
    if (process.platform === 'linux') resident?.push(residentBytes(client.pid));
    await pause(BETWEEN_CALLS_MS);
  }
  return times;
}

/** What the flood has left in the pipes has come. */
async function untilQuiet(client: LineClient): Promise<void> {
  for (let before = -1; before !== client.unasked; await pause(100)) before = client.unasked;
}

function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
}
