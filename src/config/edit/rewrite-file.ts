import { constants } from 'node:fs';
import { access, mkdir, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolsiftError } from '../../errors.ts';

const LOCK_RETRY_MS = 50;
const LOCK_PATIENCE_MS = 5000;
/** A lock this old was left behind by a process that died. */
const LOCK_STALE_MS = 10_000;
/** Entries may hold tokens. */
const MODE_OF_NEW_FILE = 0o600;

/**
 * Replaces a file's content in one step, so that readers see the old or the new text and never half of one.
 * The new text is written to `<file>.lock` beside it, which is then renamed: the file that makes the change
 * atomic also keeps a second writer waiting, who would otherwise undo the first one's change.
 *
 * @param edit makes the new text; gets nothing when there is no file yet. When it throws, nothing is written.
 */
export async function rewriteFile(
  file: string,
  edit: (target: string, exists: boolean) => string,
): Promise<void> {
  const target = await followLinks(file);
  const lock = `${target}.lock`;
  const mode = await modeOf(target);
  try {
    await mkdir(dirname(target), { recursive: true });
    if (mode !== undefined) await access(target, constants.W_OK);
    const handle = await takeLock(lock, mode ?? MODE_OF_NEW_FILE);
    try {
      await handle.chmod(mode ?? MODE_OF_NEW_FILE);
      await handle.writeFile(edit(target, (await modeOf(target)) !== undefined));
      await handle.sync();
      await handle.close();
      await rename(lock, target);
    } catch (error) {
      await handle.close();
      await rm(lock, { force: true });
      throw error;
    }
  } catch (cause) {
    if (cause instanceof ToolsiftError) throw cause;
    const why = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new ToolsiftError('config_invalid', `cannot write ${target}: ${why}`, { cause });
  }
}

async function takeLock(lock: string, mode: number) {
  for (const giveUpAt = Date.now() + LOCK_PATIENCE_MS; ; ) {
    try {
      return await open(lock, 'wx', mode);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (await isStale(lock)) await rm(lock, { force: true });
    else if (Date.now() > giveUpAt) {
      throw new ToolsiftError(
        'config_invalid',
        `${lock} says that another toolsift is writing; delete it if none is`,
      );
    } else await sleep(LOCK_RETRY_MS);
  }
}

async function isStale(lock: string): Promise<boolean> {
  const found = await stat(lock).catch(ifMissing);
  return found !== undefined && Date.now() - found.mtimeMs > LOCK_STALE_MS;
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
