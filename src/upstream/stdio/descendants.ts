import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * In the environment of every server, so that what it leaves behind is found whoever its parent is by then: a child
 * that has gone into a session of its own outlives its server, its group and every trace of whose child it was.
 */
export const MARK_VARIABLE = 'TOOLSIFT_SERVER';

/** A process, told from a later one of the same number by when it started. */
export interface ProcessId {
  readonly pid: number;
  readonly startedAt: string;
}

/** What a server and all that came of it are known by. */
export interface Family {
  readonly pid: number;
  /** Stands in the environment of its members; undefined where nobody can look there. */
  readonly mark?: string | undefined;
}

interface ListedProcess extends ProcessId {
  readonly parent: number;
}

const PS = ['-A', '-o', 'pid=,ppid=,lstart='];
const PS_LIMIT_MS = 2000;

/** What is left of a family beside the process itself: also what has left its group, or lost its parent. */
export async function relativesOf(family: Family, known: readonly ProcessId[] = []): Promise<ProcessId[]> {
  return relativesIn(await listProcesses(), family, known);
}

/** The same without a turn of the event loop. */
export function relativesNow(family: Family): ProcessId[] {
  return relativesIn(listProcessesNow(), family, []);
}

/** @param known found earlier; those that still run are found again, whoever their parent is now */
function relativesIn(
  running: readonly ListedProcess[],
  family: Family,
  known: readonly ProcessId[],
): ProcessId[] {
  const knownKeys = new Set(known.map(keyOf));
  const found = new Map<number, ListedProcess>();
  // What is older than we are is none of ours; that leaves few whose environment has to be read.
  const oldest = family.mark === undefined ? 0 : ownStart();
  for (const process of running)
    if (
      knownKeys.has(keyOf(process)) ||
      (Number(process.startedAt) >= oldest && isMarked(process.pid, family.mark))
    )
      found.set(process.pid, process);
  // Parents need not come before their children, so it is looked again until nothing is added.
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const process of running)
      if (process.parent === family.pid || found.has(process.parent)) found.set(process.pid, process);
  }
  found.delete(family.pid);
  return [...found.values()];
}

function keyOf({ pid, startedAt }: ProcessId): string {
  return `${pid} ${startedAt}`;
}

function isMarked(pid: number, mark: string | undefined): boolean {
  if (mark === undefined || process.platform !== 'linux' || pid === process.pid) return false;
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark);
  } catch {
    // It has just ended, or is not ours.
    return false;
  }
}

function ownStart(): number {
  return Number(readStat('self')?.startedAt);
}

async function listProcesses(): Promise<ListedProcess[]> {
  if (process.platform === 'linux') return listFromProc();
  if (process.platform === 'win32') return [];
  return new Promise((resolve) => {
    execFile('ps', PS, (_error, stdout) => resolve(readPs(stdout)));
  });
}

function listProcessesNow(): ListedProcess[] {
  if (process.platform === 'linux') return listFromProc();
  if (process.platform === 'win32') return [];
  try {
    return readPs(execFileSync('ps', PS, { encoding: 'utf8', timeout: PS_LIMIT_MS }));
  } catch {
    // Without the list only the group is known.
    return [];
  }
}

function listFromProc(): ListedProcess[] {
  return readdirSync('/proc').flatMap((entry) => {
    const found = /^\d+$/.test(entry) ? readStat(entry) : undefined;
    return found === undefined ? [] : [found];
  });
}

function readStat(entry: string): ListedProcess | undefined {
  try {
    const stat = readFileSync(`/proc/${entry}/stat`, 'latin1');
    // The name in parentheses may hold anything; behind it come state, parent and, as the 20th, the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return undefined;
    return { pid: Number.parseInt(stat, 10), parent: Number(fields[1]), startedAt: fields[19] ?? '' };
  } catch {
    // It has just ended.
    return undefined;
  }
}

function readPs(stdout: string): ListedProcess[] {
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, startedAt = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), startedAt }];
  });
}
