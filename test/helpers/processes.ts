import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { waitFor } from './wait-for.ts';

/** Processes that fixtures wrote into `pidsFile`. */
export function recordedPids(pidsFile: string): number[] {
  if (!existsSync(pidsFile)) return [];
  return [...new Set(readFileSync(pidsFile, 'utf8').split('\n').filter(Boolean).map(Number))];
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !isZombie(pid);
}

/** Waits a moment for the last ones to go; what stays is killed, and fails the test. */
export async function expectNoProcessesLeft(pidsFile: string, limitMs = 3_000): Promise<void> {
  const alive = () => recordedPids(pidsFile).filter(isAlive);
  await waitFor('every fixture process is gone', () => alive().length === 0, limitMs).catch(() => {});
  const left = alive();
  const commands = left.map(commandLine);
  for (const pid of left.filter((one) => commandLine(one).includes('fixtures'))) process.kill(pid, 'SIGKILL');
  expect(commands, 'processes left behind').toEqual([]);
}

/** Dead, but not yet collected by a parent: nothing that runs. */
function isZombie(pid: number): boolean {
  return /^State:\s+Z/m.test(procFile(pid, 'status'));
}

function commandLine(pid: number): string {
  return procFile(pid, 'cmdline').replaceAll('\0', ' ').trim() || `pid ${pid}`;
}

function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return ''; // no /proc on this system, or just gone
  }
}
