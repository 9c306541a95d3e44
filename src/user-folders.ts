import envPaths from 'env-paths';

/** Folders of the user that toolsift may write to. */
export interface UserFolders {
  /** What can be made again: the catalogs of servers. */
  readonly cache: string;
  /** What cannot: the secret that cache names are made with. */
  readonly data: string;
  /** What servers wrote to stderr, where that is kept. */
  readonly log: string;
}

/** The folders that the platform sets aside for a program like this, e.g. `~/.cache/toolsift`. */
export function userFolders(): UserFolders {
  const { cache, data, log } = envPaths('toolsift', { suffix: '' });
  return { cache, data, log };
}
