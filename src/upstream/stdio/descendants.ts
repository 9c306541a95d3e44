import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** A process, told from a later one of the same number by when it started. */
export interface ProcessId {
  readonly pid: number;
  readonly startedAt: string;
}

interface ListedProcess extends ProcessId {
  readonly parent: number;
}

/** The processes that descend from one, itself not included: also those that have left its group. */
export async function descendantsOf(pid: number): Promise<ProcessId[]> {
  const all = await listProcesses();
  const family = new Set([pid]);
  const found: ListedProcess[] = [];
  // Parents need not come before their children, so it is looked again until nothing is added.
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const process of all) {
      if (!family.has(process.parent) || family.has(process.pid)) continue;
      family.add(process.pid);
      found.push(process);
    }
  }
  return found;
}

/** Those of the processes that still run. */
export async function stillRunning(processes: readonly ProcessId[]): Promise<ProcessId[]> {
  if (processes.length === 0) return [];
  const running = new Set((await listProcesses()).map(keyOf));
  return processes.filter((process) => running.has(keyOf(process)));
}

function keyOf({ pid, startedAt }: ProcessId): string {
  return `${pid} ${startedAt}`;
}

async function listProcesses(): Promise<ListedProcess[]> {
  if (process.platform === 'linux') return listFromProc();
  return process.platform === 'win32' ? [] : listFromPs();
}

function listFromProc(): ListedProcess[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'latin1');
      // The name in parentheses may hold anything; behind it come state, parent and, as the 20th, the start time.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[0] === 'Z') return [];
      return [{ pid: Number(entry), parent: Number(fields[1]), startedAt: fields[19] ?? '' }];
    } catch {
      // It has just ended.
      return [];
    }
  });
}

function listFromPs(): Promise<ListedProcess[]> {
  return new Promise((resolve) => {
    execFile('ps', ['-A', '-o', 'pid=,ppid=,lstart='], (_error, stdout) => {
      resolve(
        stdout.split('\n').flatMap((line) => {
          const [, pid, parent, startedAt = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
          return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), startedAt }];
        }),
      );
    });
  });
}
