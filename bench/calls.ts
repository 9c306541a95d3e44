import { performance } from 'node:perf_hooks';
import type { Environment } from './environment.ts';
import { GOALS } from './goals.ts';
import { parseAnswer } from './line-client.ts';
import { type Figure, formatValue, type Goal } from './report.ts';
import { checkSameResult, type OpenRoutes, openRoutes, type PayloadArguments, type Route } from './routes.ts';
import type { Finding, Section } from './section.ts';
import { median, quantile, rotate } from './statistics.ts';

const IN_FLIGHT = 32;
const SMALL: PayloadArguments = { kind: 'text', bytes: 200 };
/** Below the 10 MiB at which the SDK's stdio transport closes the connection. */
const TEN_MEGABYTES = 10_000_000;

interface Size {
  readonly label: string;
  readonly args: PayloadArguments;
  readonly full: number;
  readonly quick: number;
  readonly goal: Goal;
  /** Against the byte relay. */
  readonly relayGoal: Goal;
}

const large = { goal: GOALS.largeCall, relayGoal: GOALS.relayedLarge };
const SIZES: readonly Size[] = [
  {
    label: '200 B',
    args: SMALL,
    full: 3_000,
    quick: 400,
    goal: GOALS.smallCall,
    relayGoal: GOALS.relayedSmall,
  },
  { label: '1 MB text', args: { kind: 'text', bytes: 1_000_000 }, full: 120, quick: 20, ...large },
  {
    label: '1 MB structured',
    args: { kind: 'structured', bytes: 1_000_000 },
    full: 120,
    quick: 20,
    ...large,
  },
  { label: '10 MB text', args: { kind: 'text', bytes: TEN_MEGABYTES }, full: 25, quick: 5, ...large },
  {
    label: '10 MB structured',
    args: { kind: 'structured', bytes: TEN_MEGABYTES },
    full: 25,
    quick: 5,
    ...large,
  },
];

export const calls: Section = {
  name: 'calls',
  title: 'Calls over stdio: request written to answer received and parsed, against a direct connection',
  measure,
};

async function* measure(environment: Environment): AsyncGenerator<Finding> {
  const routes = await openRoutes(environment);
  try {
    for (const size of SIZES) yield* latency(routes, size, environment.rounds(size.full, size.quick));
    yield* throughput(routes, environment);
  } finally {
    await routes.close();
  }
}

/** Time to the last byte of the answer, and time until a client also has it parsed, as every client must. */
interface Sample {
  readonly wireMs: number;
  readonly parsedMs: number;
}

async function* latency(routes: OpenRoutes, size: Size, rounds: number): AsyncGenerator<Figure> {
  await checkSameResult(routes, size.args);
  const samples = new Map<Route, Sample[]>(routes.all.map((route) => [route, []]));
  const warmUp = Math.ceil(rounds / 10);
  for (let round = -warmUp; round < rounds; round++) {
    for (const route of rotate(routes.all, round + warmUp)) {
      const sample = await timeCall(route, size.args);
      if (round >= 0) samples.get(route)?.push(sample);
    }
  }
  const direct = summarize(samples.get(routes.direct) ?? []);
  const relay = summarize(samples.get(routes.relay) ?? []);
  for (const [route, taken] of samples) {
    const { p50, p99, wireP50 } = summarize(taken);
    const added = formatValue(p50 - direct.p50, 'ms');
    const onTheWire = formatValue(wireP50 / direct.wireP50, 'x');
    yield {
      section: 'calls',
      what: `${size.label}: ${route.name}`,
      value: p50 / direct.p50,
      unit: 'x',
      detail: `p50 ${formatValue(p50, 'ms')}, p99 ${formatValue(p99, 'ms')}, added ${added}; unparsed ${onTheWire}, ${formatValue(wireP50, 'ms')}`,
      ...(route.isToolsift && { goal: size.goal }),
    };
    if (route.isToolsift) {
      yield {
        section: 'calls',
        what: `${size.label}: ${route.name}, to the relay`,
        value: p50 / relay.p50,
        unit: 'x',
        goal: size.relayGoal,
        detail: `unparsed ${formatValue(wireP50 / relay.wireP50, 'x')}`,
      };
    }
  }
}

function summarize(samples: readonly Sample[]): { p50: number; p99: number; wireP50: number } {
  const parsed = samples.map(({ parsedMs }) => parsedMs);
  return {
    p50: median(parsed),
    p99: quantile(parsed, 0.99),
    wireP50: median(samples.map(({ wireMs }) => wireMs)),
  };
}

async function timeCall(route: Route, args: PayloadArguments): Promise<Sample> {
  const startedAt = performance.now();
  const answer = await route.call(args);
  parseAnswer(answer);
  return { wireMs: answer.receivedAt - startedAt, parsedMs: performance.now() - startedAt };
}

interface Rate {
  readonly callsPerSecond: number;
  /** Of the process the client talks to. Unlike the rate it does not depend on what else the machine is doing. */
  readonly cpuMsPerCall: number | undefined;
}

async function* throughput(routes: OpenRoutes, environment: Environment): AsyncGenerator<Figure> {
  const callsPerRound = environment.rounds(4_000, 1_500);
  const samples = new Map<Route, Rate[]>(routes.all.map((route) => [route, []]));
  for (const route of routes.all) await measureRate(route, callsPerRound / 2);
  for (let round = 0; round < environment.rounds(9, 3); round++)
    for (const route of rotate(routes.all, round))
      samples.get(route)?.push(await measureRate(route, callsPerRound));
  const ceiling = medianRate(samples.get(routes.direct) ?? []);
  const relay = medianRate(samples.get(routes.relay) ?? []);
  for (const [route, rates] of samples) {
    const cpuMs = rates.map(({ cpuMsPerCall }) => cpuMsPerCall).filter((value) => value !== undefined);
    const cpu = cpuMs.length > 0 ? `, ${formatValue(median(cpuMs), 'ms')} processor time a call` : '';
    yield {
      section: 'calls',
      what: `${IN_FLIGHT} in flight: ${route.name}`,
      value: medianRate(rates) / ceiling,
      unit: 'x',
      detail: `${formatValue(medianRate(rates), 'calls/s')}${cpu}`,
      ...(route.isToolsift && { goal: GOALS.throughput }),
    };
    if (route.isToolsift) {
      yield {
        section: 'calls',
        what: `${IN_FLIGHT} in flight: ${route.name}, to the relay`,
        value: medianRate(rates) / relay,
        unit: 'x',
        goal: GOALS.relayedThroughput,
      };
    }
  }
}

function medianRate(rates: readonly Rate[]): number {
  return median(rates.map(({ callsPerSecond }) => callsPerSecond));
}

async function measureRate(route: Route, count: number): Promise<Rate> {
  let left = count;
  const caller = async (): Promise<void> => {
    while (left-- > 0) parseAnswer(await route.call(SMALL));
  };
  const cpuBefore = route.client.cpuMs();
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: IN_FLIGHT }, caller));
  const callsPerSecond = (count * 1_000) / (performance.now() - startedAt);
  const cpuAfter = route.client.cpuMs();
  const isTold = cpuBefore !== undefined && cpuAfter !== undefined;
  return { callsPerSecond, cpuMsPerCall: isTold ? (cpuAfter - cpuBefore) / count : undefined };
}
