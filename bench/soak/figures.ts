import type { SoakClient } from './soak-client.ts';
import { type Usage, usageOf } from './soak-home.ts';

/** Memory is flat when no process has grown by more than this from the middle to the end. */
const MAX_GROWTH_MEGABYTES = 25;
const MAX_MEGABYTES = 250;
const MAX_GROWTH_FILES = 40;

/** Memory and open files of every client's toolsift, printed. */
export function printUsage(clients: readonly SoakClient[], when: string): Usage[] {
  const usages = clients.filter(({ hasExited }) => !hasExited).map(({ pid }) => usageOf(pid));
  const list = (of: (usage: Usage) => number) => usages.map((usage) => of(usage).toFixed(0)).join(' ');
  console.log(
    `${when}: RSS ${list((usage) => usage.megabytes)} MB, open files ${list((usage) => usage.openFiles)}`,
  );
  return usages;
}

/** What is wrong with the growth from the middle to the end. */
export function judgeGrowth(middle: readonly Usage[], end: readonly Usage[]): string[] {
  const problems: string[] = [];
  for (const [index, after] of end.entries()) {
    const before = middle[index];
    if (after.megabytes > MAX_MEGABYTES)
      problems.push(`toolsift ${index} holds ${after.megabytes.toFixed(0)} MB`);
    if (before === undefined) continue;
    const grown = after.megabytes - before.megabytes;
    if (grown > MAX_GROWTH_MEGABYTES) {
      problems.push(
        `toolsift ${index} grew by ${grown.toFixed(0)} MB; at most ${MAX_GROWTH_MEGABYTES} are flat`,
      );
    }
    const files = after.openFiles - before.openFiles;
    if (files > MAX_GROWTH_FILES) problems.push(`toolsift ${index} has ${files} more open files`);
  }
  return problems;
}

/** Counts of outcomes, and the slowest answers. */
export class Outcomes {
  readonly #counts = new Map<string, number>();
  readonly #slowest = new Map<string, number>();
  #total = 0;

  add(label: string, tookMs: number): void {
    const kind = label.split(':')[0] ?? label;
    this.#total++;
    this.#counts.set(label, (this.#counts.get(label) ?? 0) + 1);
    this.#slowest.set(kind, Math.max(this.#slowest.get(kind) ?? 0, tookMs));
  }

  print(): void {
    console.log(`${this.#total} answers`);
    for (const [label, count] of [...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      console.log(`  ${label}: ${count}`);
    }
    const slowest = [...this.#slowest].map(([kind, ms]) => `${kind} ${ms.toFixed(0)}`);
    console.log(`slowest, in ms: ${slowest.join(', ')}`);
  }
}
