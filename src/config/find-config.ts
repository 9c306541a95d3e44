import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { ToolsiftError } from '../errors.ts';
import { platformFolders } from '../platform-folders.ts';
import type { Environment } from './entry/expand-variables.ts';

const FILE_NAME = 'toolsift.json';

export interface ConfigSearch {
  /** Value of `--config`. */
  readonly flag?: string | undefined;
  /** Default: the environment of this process. */
  readonly env?: Environment;
  /** Default: the working directory of this process. */
  readonly cwd?: string;
}

/** What led to a configuration file. */
export type FoundBy = '--config' | 'TOOLSIFT_CONFIG' | 'the working directory' | 'the user folder';

export interface FoundConfig {
  readonly file: string;
  readonly foundBy: FoundBy;
}

/**
 * The configuration file to use: `--config`, else `TOOLSIFT_CONFIG`, else `./toolsift.json`, else `toolsift.json`
 * in the user's configuration folder. A file that is named must exist: nothing else is tried in its place.
 */
export async function findConfig(search: ConfigSearch = {}): Promise<FoundConfig> {
  const found = await findConfigToEdit(search);
  if (existsSync(found.file)) return found;
  if (found.foundBy !== 'the user folder') {
    throw new ToolsiftError(
      'config_not_found',
      `no configuration file ${found.file} (named by ${found.foundBy}). ${howToBegin(` --config ${found.file}`)}`,
    );
  }
  throw new ToolsiftError(
    'config_not_found',
    `no configuration file. Looked for --config, TOOLSIFT_CONFIG (neither is given), ${localFile(search)}, ${found.file}. ${howToBegin('')}`,
  );
}

/** The file an edit goes to: the one that would be used, or, when there is none yet, the one to create. */
export async function findConfigToEdit(search: ConfigSearch = {}): Promise<FoundConfig> {
  const named = namedFile(search);
  if (named !== undefined) return named;
  const local = localFile(search);
  if (existsSync(local)) return { file: local, foundBy: 'the working directory' };
  return { file: await userFile(search), foundBy: 'the user folder' };
}

function namedFile({ flag, env = process.env, cwd = process.cwd() }: ConfigSearch): FoundConfig | undefined {
  // Clients hand these over without a shell, so `~` arrives as it is.
  const absolute = (file: string) =>
    resolve(
      cwd,
      file.replace(/^~(?=[/\\])/, () => homedir()),
    );
  if (flag) return { file: absolute(flag), foundBy: '--config' };
  const variable = env.TOOLSIFT_CONFIG;
  return variable ? { file: absolute(variable), foundBy: 'TOOLSIFT_CONFIG' } : undefined;
}

function localFile({ cwd = process.cwd() }: ConfigSearch): string {
  return join(cwd, FILE_NAME);
}

async function userFile({ env = process.env }: ConfigSearch): Promise<string> {
  const xdg = env.XDG_CONFIG_HOME;
  if (process.platform === 'linux' && xdg && isAbsolute(xdg)) return join(xdg, 'toolsift', FILE_NAME);
  return join(platformFolders().config, FILE_NAME);
}

function howToBegin(option: string): string {
  return `Begin with: toolsift add-server${option} <name> -- <command> [args…]`;
}
