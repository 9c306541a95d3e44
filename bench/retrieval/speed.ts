import { createToolIndex } from '../../src/index.ts';
import type { Ranker } from './rankers.ts';
import { groupByServer, type ListedTool } from './sets.ts';

/** As many tools as asked for, by repeating servers under other names. */
export function multiply(tools: readonly ListedTool[], count: number): ListedTool[] {
  return Array.from({ length: count }, (_, i) => {
    const tool = tools[i % tools.length] as ListedTool;
    const round = Math.floor(i / tools.length);
    return round === 0 ? tool : { ...tool, server: `${tool.server} ${round}` };
  });
}

/** Processor time and, for comparison, the time that passed: other work on the machine makes the latter longer. */
export interface Speed {
  readonly indexMsPer1000: number;
  readonly p50: number;
  readonly p95: number;
  readonly p50Passed: number;
  readonly p95Passed: number;
  readonly megabytes: number;
}

export function measureSpeed(
  ranker: Ranker,
  tools: readonly ListedTool[],
  queries: readonly string[],
): Speed {
  globalThis.gc?.();
  const before = usedBytes();
  const start = process.cpuUsage();
  const search = ranker.index(tools);
  const indexMsPer1000 = (cpuSince(start) / tools.length) * 1_000;
  globalThis.gc?.();
  const megabytes = (usedBytes() - before) / 2 ** 20;
  for (const query of queries) search(query, 5);
  const used: number[] = [];
  const passed: number[] = [];
  for (const query of queries) {
    const cpu = process.cpuUsage();
    const began = performance.now();
    search(query, 5);
    passed.push(performance.now() - began);
    used.push(cpuSince(cpu));
  }
  for (const times of [used, passed]) times.sort((x, y) => x - y);
  return {
    indexMsPer1000,
    p50: at(used, 0.5),
    p95: at(used, 0.95),
    p50Passed: at(passed, 0.5),
    p95Passed: at(passed, 0.95),
    megabytes,
  };
}

/** What a start from the persisted form costs, in this process as it is: bytes and milliseconds of processor time. */
export function measureRestore(tools: readonly ListedTool[]): {
  bytes: number;
  restoreMs: number;
  firstMs: number;
} {
  const source = createToolIndex();
  for (const [server, listed] of groupByServer(tools)) source.replaceServer(server, listed);
  const saved = source.servers.map((server) => ({ server, bytes: source.serializeServer(server) }));
  const index = createToolIndex();
  const start = process.cpuUsage();
  for (const { server, bytes } of saved) if (bytes !== undefined) index.restoreServer(server, bytes);
  const restoreMs = cpuSince(start);
  const restored = process.cpuUsage();
  index.search('create an issue in a repository');
  const bytes = saved.reduce((sum, one) => sum + (one.bytes?.length ?? 0), 0);
  return { bytes, restoreMs, firstMs: cpuSince(restored) };
}

function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

function usedBytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}
