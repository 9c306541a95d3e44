import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 10;

/** Who holds a lock, as its file says. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly id: string;
}

/** A lock file that is ours. */
export interface HeldLock {
  /** Names what belongs to this holder alone. */
  readonly id: string;
  /** Whether it still is ours: who slept for long may have been taken for dead. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

export interface LockOptions {
  /** A lock this old was left behind, whatever it says of its holder. */
  readonly staleMs: number;
  /** How long to wait for one that somebody else holds; default: until it is stale. */
  readonly patienceMs?: number;
  /** Told the id of a holder that died, whose leavings nobody else touches. */
  readonly onleft?: (id: string) => Promise<void>;
}

/**
 * Takes a lock that is a file, whole from the moment it is there. One whose holder is dead is taken over at once.
 *
 * @returns nothing where somebody else holds it for longer than we wait
 */
export async function takeLock(lock: string, options: LockOptions): Promise<HeldLock | undefined> {
  const own: Holder = { pid: process.pid, host: hostname(), id: randomUUID() };
  const text = JSON.stringify(own);
  for (const giveUpAt = Date.now() + (options.patienceMs ?? Number.POSITIVE_INFINITY); ; ) {
    if (await create(lock, text)) break;
    const seen = await readLock(lock);
    if (seen === undefined) continue;
    if (isLeft(seen, options.staleMs)) await takeAway(lock, seen.text, options.onleft);
    else if (Date.now() > giveUpAt) return undefined;
    else await sleep(RETRY_MS);
  }
  const isHeld = async () => (await readLock(lock))?.text === text;
  return {
    id: own.id,
    isHeld,
    release: async () => {
      if (await isHeld()) await rm(lock, { force: true });
    },
  };
}

async function create(lock: string, text: string): Promise<boolean> {
  const draft = `${lock}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { flag: 'wx', mode: 0o600 });
    await link(draft, lock).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error;
      // A file system without links: there, the lock is empty for a moment.
      return writeFile(lock, text, { flag: 'wx', mode: 0o600 });
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    await rm(draft, { force: true });
  }
}

interface SeenLock {
  readonly text: string;
  readonly ageMs: number;
}

async function readLock(lock: string): Promise<SeenLock | undefined> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(lock, 'utf8'), stat(lock)]);
    return { text, ageMs: Date.now() - mtimeMs };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}

function isLeft({ text, ageMs }: SeenLock, staleMs: number): boolean {
  if (ageMs > staleMs) return true;
  const holder = holderIn(text);
  return holder?.host === hostname() && !isAlive(holder.pid);
}

/** Of those who find the same lock left behind, one takes it away; a lock taken since then is put back. */
async function takeAway(
  lock: string,
  seen: string,
  onleft: ((id: string) => Promise<void>) | undefined,
): Promise<void> {
  const aside = `${lock}.${randomUUID()}`;
  try {
    await rename(lock, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return;
  }
  if ((await readFile(aside, 'utf8')) === seen) {
    const holder = holderIn(seen);
    if (holder !== undefined) await onleft?.(holder.id);
  } else await link(aside, lock).catch(() => {});
  await rm(aside, { force: true });
}

function holderIn(text: string): Holder | undefined {
  try {
    const { pid, host, id } = JSON.parse(text) as Partial<Record<keyof Holder, unknown>>;
    const isWhole = Number.isInteger(pid) && typeof host === 'string' && /^[\w-]+$/.test(String(id));
    return isWhole ? { pid: Number(pid), host: String(host), id: String(id) } : undefined;
  } catch {
    // Half a lock, or none of ours.
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
