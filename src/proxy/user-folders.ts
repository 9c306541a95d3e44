import { userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { platformFolders, temporaryFolder } from '../platform-folders.ts';

/** Folders of the user that toolsift may write to. */
export interface UserFolders {
  /** What can be made again: the catalogs of servers. */
  readonly cache: string;
  /** What cannot: the secret that cache names are made with. */
  readonly data: string;
  /** Sockets of running processes; short-lived, and short, since paths of sockets are limited. */
  readonly runtime: string;
  /** What servers wrote to stderr, where that is kept. */
  readonly log: string;
  /** Logins to remote servers; nobody but the user may read what is in it. */
  readonly logins: string;
}

/** The folders that the platform sets aside for a program like this, e.g. `~/.cache/toolsift`. */
export function userFolders(): UserFolders {
  const { cache, data, log } = platformFolders();
  return { cache, data, log, runtime: runtimeFolder(), logins: join(stateFolder({ data, log }), 'logins') };
}

/** What is to stay and belongs to this machine; only on Linux there is a folder for it, which is that of logs too. */
function stateFolder({ data, log }: { readonly data: string; readonly log: string }): string {
  return process.platform === 'linux' ? log : data;
}

function runtimeFolder(): string {
  const { XDG_RUNTIME_DIR: folder } = process.env;
  if (folder !== undefined && isAbsolute(folder)) return join(folder, 'toolsift');
  return join(temporaryFolder(), `toolsift-${userInfo().uid}`);
}
