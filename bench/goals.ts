import type { Goal } from './report.ts';

/** The numbers toolsift promises. Ratios, because machines differ. */
export const GOALS = {
  start: { must: 1.4, aim: 1.3 },
  startCached: { must: 1.6, aim: 1.45 },
  firstAnswer: { must: 2, aim: 1.8 },
  smallCall: { must: 2.2, aim: 1.8 },
  largeCall: { must: 1.5, aim: 1.2 },
  throughput: { must: 0.75, aim: 0.9, atLeast: true },
  relayedSmall: { must: 1.1, aim: 1 },
  relayedLarge: { must: 1.03, aim: 1 },
  relayedThroughput: { must: 0.95, aim: 1.05, atLeast: true },
  flooded: { must: 3, aim: 1.5 },
  floodedMemory: { must: 1.2, aim: 1.05 },
  memory: { must: 1.7, aim: 1.5 },
  searchMedian: { must: 3, aim: 1 },
  searchP95: { must: 10, aim: 4 },
  menuTokens: { must: 700, aim: 500 },
  searchTokensMedian: { must: 1_500, aim: 1_000 },
  searchTokensP95: { must: 4_000, aim: 2_500 },
  processesStarted: { must: 0, aim: 0 },
} satisfies Record<string, Goal>;
