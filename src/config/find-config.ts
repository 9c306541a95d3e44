import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { ToolsiftError } from '../errors.ts';
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

/**
 * The configuration file to use: `--config`, else `TOOLSIFT_CONFIG`, else `./toolsift.json`, else `toolsift.json`
 * in the user's configuration folder. A file that is named must exist: nothing else is tried in its place.
 */
export async function findConfig(search: ConfigSearch = {}): Promise<string> {
  const named = namedFile(search);
  if (named !== undefined) {
    if (existsSync(named.file)) return named.file;
    throw new ToolsiftError(
      'config_not_found',
      `no configuration file ${named.file} (named by ${named.by}). ${howToBegin(` --config ${named.file}`)}`,
    );
  }
  const local = localFile(search);
  if (existsSync(local)) return local;
  const user = await userFile(search);
  if (existsSync(user)) return user;
  throw new ToolsiftError(
    'config_not_found',
    `no configuration file. Looked for --config, TOOLSIFT_CONFIG (neither is given), ${local}, ${user}. ${howToBegin('')}`,
  );
}

/** The file an edit goes to: the one that would be used, or, when there is none yet, the one to create. */
export async function findConfigToEdit(search: ConfigSearch = {}): Promise<string> {
  const named = namedFile(search);
  if (named !== undefined) return named.file;
  const local = localFile(search);
  return existsSync(local) ? local : userFile(search);
}

function namedFile({ flag, env = process.env, cwd = process.cwd() }: ConfigSearch) {
  // Clients hand these over without a shell, so `~` arrives as it is.
  const absolute = (file: string) =>
    resolve(
      cwd,
      file.replace(/^~(?=[/\\])/, () => homedir()),
    );
  if (flag) return { file: absolute(flag), by: '--config' };
  const variable = env.TOOLSIFT_CONFIG;
  return variable ? { file: absolute(variable), by: 'TOOLSIFT_CONFIG' } : undefined;
}

function localFile({ cwd = process.cwd() }: ConfigSearch): string {
  return join(cwd, FILE_NAME);
}

async function userFile({ env = process.env }: ConfigSearch): Promise<string> {
  const { default: envPaths } = await import('env-paths');
  const xdg = env.XDG_CONFIG_HOME;
  if (process.platform === 'linux' && xdg && isAbsolute(xdg)) return join(xdg, 'toolsift', FILE_NAME);
  return join(envPaths('toolsift', { suffix: '' }).config, FILE_NAME);
}

function howToBegin(option: string): string {
  return `Begin with: toolsift add-server${option} <name> -- <command> [args…]`;
}
