import type { Finding } from './finding.ts';
import { requirePrivateFolder } from './private-folder.ts';
import { removeRemains, settleByFiles } from './settle-by-files.ts';
import { settleByName } from './settle-by-name.ts';
import { pipeName, socketPrefix } from './socket-name.ts';

export interface Place {
  /** Whoever has the same key shares a server: it stands for its configuration and what clients declare to it. */
  readonly key: string;
  /** Where sockets are kept; made if need be, for this user alone. */
  readonly folder: string;
}

/** An owner that starts or stops its server is waited for this long; stopping a stubborn one takes 3.5 s. */
const SETTLE_TIMEOUT_MS = 15_000;

/**
 * Finds the process that runs the server of this key, or settles that it is this one. However many look at once, and
 * whatever killed ones have left, there is one.
 *
 * @throws ToolsiftError when the folder cannot be trusted, or another process is stuck
 */
export async function findOwner({ key, folder }: Place): Promise<Finding> {
  if (process.platform === 'win32') return settleByName(pipeName(key), SETTLE_TIMEOUT_MS);
  requirePrivateFolder(folder);
  return settleByFiles(folder, socketPrefix(key), SETTLE_TIMEOUT_MS);
}

/** Tidies up after an owner that was killed, for when nobody looks for another. */
export async function tidyUp({ key, folder }: Place): Promise<void> {
  if (process.platform !== 'win32') await removeRemains(folder, socketPrefix(key));
}
