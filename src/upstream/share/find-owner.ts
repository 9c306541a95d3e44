import { electByFiles, removeRemains } from './elect-by-files.ts';
import { electByPipe } from './elect-by-pipe.ts';
import type { Finding } from './finding.ts';
import { requirePrivateFolder } from './private-folder.ts';
import { pipeName, socketPrefix } from './socket-name.ts';

export interface Place {
  /** Whoever has the same key shares a server: it stands for its configuration and what clients declare to it. */
  readonly key: string;
  /** Where sockets are kept; made if need be, for this user alone. */
  readonly folder: string;
}

/** An owner that starts or stops its server is waited for this long; stopping a stubborn one takes 3.5 s. */
const ELECTION_TIMEOUT_MS = 15_000;

/**
 * Finds the process that runs the server of this key, or elects this one to run it. However many look at once, and
 * whatever killed ones have left, there is one.
 *
 * @throws ToolsiftError when the folder cannot be trusted, or another process is stuck
 */
export async function findOwner({ key, folder }: Place): Promise<Finding> {
  if (process.platform === 'win32') return electByPipe(pipeName(key), ELECTION_TIMEOUT_MS);
  requirePrivateFolder(folder);
  return electByFiles(folder, socketPrefix(key), ELECTION_TIMEOUT_MS);
}

/** Tidies up after an owner that was killed, for when nobody looks for another. */
export async function tidyUp({ key, folder }: Place): Promise<void> {
  if (process.platform !== 'win32') await removeRemains(folder, socketPrefix(key));
}
