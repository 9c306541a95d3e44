import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { errorText, ToolsiftError } from '../../errors.ts';

const OWNER_ONLY = 0o700;
const OTHERS = 0o077;

/**
 * Sees to it that the folder exists and that only we can get at what is in it.
 *
 * @throws ToolsiftError `server_config_invalid` when it belongs to somebody else or is none
 */
export function requirePrivateFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY });
  } catch (error) {
    throw unusable(`folder ${folder} cannot be made: ${errorText(error)}`);
  }
  const uid = process.getuid?.();
  // Where there are no user ids, on Windows, names of pipes take the place of files.
  if (uid === undefined) return;
  const stat = lstatSync(folder);
  if (!stat.isDirectory()) throw unusable(`${folder} is not a folder; remove it`);
  if (stat.uid !== uid)
    throw unusable(`folder ${folder} belongs to another user (uid ${stat.uid}); remove it`);
  if ((stat.mode & OTHERS) !== 0) chmodSync(folder, OWNER_ONLY);
}

function unusable(why: string): ToolsiftError {
  return new ToolsiftError('server_config_invalid', `cannot be shared: ${why}, or set "share" to false`);
}
