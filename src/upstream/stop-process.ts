import { execFile, execFileSync } from 'node:child_process';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** The MCP shutdown order for stdio: close stdin, then SIGTERM, then SIGKILL, each with a bounded wait. */
export interface StopTimes {
  readonly afterStdinMs: number;
  readonly afterTermMs: number;
  readonly afterKillMs: number;
}

export const STOP_TIMES: StopTimes = { afterStdinMs: 1500, afterTermMs: 1000, afterKillMs: 1000 };
const POLL_MS = 20;

/**
 * Stops a process that leads its own group, and whatever it started: launchers like `npx` and shells often leave
 * without passing a signal on. Resolves when the whole group is gone or cannot be stopped by any means.
 */
export async function stopProcess(
  { pid, stdin }: { readonly pid: number; readonly stdin: Writable },
  times: StopTimes = STOP_TIMES,
): Promise<void> {
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
  try {
    process.kill(-pid, signal);
  } catch {
    // Nothing of the group is left.
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
