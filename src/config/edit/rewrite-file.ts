import { constants } from 'node:fs';
import { access, mkdir, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ToolsiftError } from '../../errors.ts';
import { takeLock } from '../../file-lock.ts';

/** Entries may hold tokens. */
const MODE_OF_NEW_FILE = 0o600;
const PATIENCE_MS = 5000;
/** An edit takes no longer than this. */
const STALE_LOCK_MS = 10_000;

/**
 * Replaces a file's content in one step, so that readers see the old or the new text and never half of one. A lock
 * file beside it keeps a second writer waiting, who would otherwise undo the first one's change.
 *
 * @param edit makes the new text; gets nothing when there is no file yet. When it throws, nothing is written.
 */
export async function rewriteFile(
  file: string,
  edit: (target: string, exists: boolean) => string,
): Promise<void> {
  const target = await followLinks(file);
  try {
    await mkdir(dirname(target), { recursive: true });
    if ((await modeOf(target)) !== undefined) await access(target, constants.W_OK);
    let isWritten = false;
    while (!isWritten) isWritten = await writeOnce(target, edit);
  } catch (cause) {
    if (cause instanceof ToolsiftError) throw cause;
    const why = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new ToolsiftError('config_invalid', `cannot write ${target}: ${why}`, { cause });
  }
}

/** False where the lock was lost meanwhile, so that somebody else may have written. */
async function writeOnce(
  target: string,
  edit: (target: string, exists: boolean) => string,
): Promise<boolean> {
  const newTextOf = (id: string) => `${target}.${id}.new`;
  const lockFile = `${target}.lock`;
  const lock = await takeLock(lockFile, {
    staleMs: STALE_LOCK_MS,
    patienceMs: PATIENCE_MS,
    onleft: (id) => rm(newTextOf(id), { force: true }),
  });
  if (lock === undefined) {
    throw new ToolsiftError(
      'config_invalid',
      `${lockFile} says that another toolsift is writing; delete it if none is`,
    );
  }
  const draft = newTextOf(lock.id);
  try {
    const mode = await modeOf(target);
    const handle = await open(draft, 'wx', mode ?? MODE_OF_NEW_FILE);
    try {
      await handle.chmod(mode ?? MODE_OF_NEW_FILE);
      await handle.writeFile(edit(target, mode !== undefined));
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (!(await lock.isHeld())) return false;
    await rename(draft, target);
    return true;
  } finally {
    await rm(draft, { force: true });
    await lock.release();
  }
}

async function modeOf(file: string): Promise<number | undefined> {
  const found = await stat(file).catch(ifMissing);
  return found && found.mode & 0o777;
}

/** The file behind symbolic links, also where they lead to nothing yet. */
async function followLinks(file: string): Promise<string> {
  const found = await realpath(file).catch(ifMissing);
  if (found !== undefined) return found;
  // Not a link, or nothing there at all: then this is the file to create.
  const next = await readlink(file).catch(() => undefined);
  return next === undefined ? file : followLinks(resolve(dirname(file), next));
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
