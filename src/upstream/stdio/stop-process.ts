import { execFile, execFileSync } from 'node:child_process';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Family, relativesNow, relativesOf } from './descendants.ts';

/** The MCP shutdown order for stdio: close stdin, then SIGTERM, then SIGKILL, each with a bounded wait. */
export interface StopTimes {
  readonly afterStdinMs: number;
  readonly afterTermMs: number;
  readonly afterKillMs: number;
}

export const STOP_TIMES: StopTimes = { afterStdinMs: 1500, afterTermMs: 1000, afterKillMs: 1000 };
const POLL_MS = 20;
/** What has left the group gets this long to follow a SIGTERM. */
const STRAY_GRACE_MS = 300;
/** What is started while others are being killed is looked for this many times. */
const KILL_ROUNDS = 4;

/** A process of ours that leads its own group. */
export interface Leader extends Family {
  readonly stdin: Writable;
}

/**
 * Stops a process that leads its own group, and whatever it started: launchers like `npx` and shells often leave
 * without passing a signal on, and some programs leave the group. Resolves when all of it is gone or cannot be
 * stopped by any means.
 */
export async function stopProcess(leader: Leader, times: StopTimes = STOP_TIMES): Promise<void> {
  const before = await relativesOf(leader);
  await stopGroup(leader, times);
  let strays = await relativesOf(leader, before);
  if (strays.length === 0) return;
  for (const { pid } of strays) sendSignal(pid, 'SIGTERM');
  await sleep(STRAY_GRACE_MS);
  for (let round = 0; round < KILL_ROUNDS; round++) {
    strays = await relativesOf(leader, strays);
    if (strays.length === 0) return;
    for (const { pid } of strays) sendSignal(pid, 'SIGKILL');
    await sleep(POLL_MS);
  }
}

/** Kills a process, its group and what has left that, at once, for when the event loop has no further turn. */
export function killFamily(family: Family): void {
  const before = relativesNow(family);
  killGroup(family.pid);
  let strays = before;
  for (let round = 0; round < KILL_ROUNDS && strays.length > 0; round++) {
    for (const { pid } of strays) sendSignal(pid, 'SIGKILL');
    strays = relativesNow(family);
  }
}

async function stopGroup({ pid, stdin }: Leader, times: StopTimes): Promise<void> {
  stdin.end();
  if (await isGoneWithin(pid, times.afterStdinMs)) return;
  await signalTree(pid, 'SIGTERM');
  if (await isGoneWithin(pid, times.afterTermMs)) return;
  await signalTree(pid, 'SIGKILL');
  await isGoneWithin(pid, times.afterKillMs);
}

/** Sends a signal to the group at once, for when the event loop has no further turn. */
export function killGroup(pid: number): void {
  try {
    if (process.platform === 'win32')
      execFileSync('taskkill', taskkillArgs(pid, true), { windowsHide: true, timeout: 2000 });
    else process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of the group is left.
  }
}

/** The command line that ends a process and all it started, on Windows. */
export function taskkillArgs(pid: number, isForced: boolean): string[] {
  return ['/PID', String(pid), '/T', ...(isForced ? ['/F'] : [])];
}

async function signalTree(pid: number, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (process.platform === 'win32') {
    await new Promise<void>((resolve) => {
      execFile('taskkill', taskkillArgs(pid, signal === 'SIGKILL'), { windowsHide: true }, () => resolve());
    });
    return;
  }
  sendSignal(-pid, signal);
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Nothing of it is left.
  }
}

async function isGoneWithin(pid: number, ms: number): Promise<boolean> {
  const end = performance.now() + ms;
  while (isAlive(pid)) {
    if (performance.now() >= end) return false;
    await sleep(POLL_MS);
  }
  return true;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
