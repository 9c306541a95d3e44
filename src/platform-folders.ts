import { homedir, tmpdir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import envPaths from 'env-paths';

const NAME = 'toolsift';
/** Where the folders are on Linux, below the home folder, when the environment does not say. */
const BELOW_HOME = { config: '.config', cache: '.cache', data: '.local/share', log: '.local/state' } as const;

export type PlatformFolders = Readonly<Record<keyof typeof BELOW_HOME, string>>;

/**
 * The folders that the platform sets aside for a program like this, e.g. `~/.cache/toolsift`. They are absolute,
 * whatever the environment says: a relative folder there is ignored, as the XDG specification asks, and without a
 * usable HOME the home folder of the user's account counts.
 */
export function platformFolders(): PlatformFolders {
  const found = envPaths(NAME, { suffix: '' });
  const folder = (kind: keyof PlatformFolders) => {
    if (isAbsolute(found[kind])) return found[kind];
    return process.platform === 'linux'
      ? join(absoluteHome(), BELOW_HOME[kind], NAME)
      : join(absoluteHome(), found[kind]);
  };
  return { config: folder('config'), cache: folder('cache'), data: folder('data'), log: folder('log') };
}

/** A folder for what is short-lived; absolute too. */
export function temporaryFolder(): string {
  const folder = tmpdir();
  return isAbsolute(folder) ? folder : '/tmp';
}

function absoluteHome(): string {
  const home = homedir();
  if (isAbsolute(home)) return home;
  const { homedir: ofAccount, uid } = userInfo();
  return isAbsolute(ofAccount) ? ofAccount : join(temporaryFolder(), `${NAME}-${uid}`);
}
