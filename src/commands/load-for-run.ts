import type { Config } from '../config/config.ts';
import { type LoadOptions, loadConfig } from '../config/load-config.ts';
import type { Logger } from '../log.ts';
import { checkedTexts, trustedTexts } from '../proxy/known-texts.ts';
import { type UserFolders, userFolders } from '../proxy/user-folders.ts';
import { VERSION } from '../version.ts';

/** A configuration whose servers are to run, and what it takes to read it again. */
export interface LoadedForRun {
  readonly config: Config;
  readonly folders: UserFolders;
  readonly loading: LoadOptions;
  /** The file that changes when somebody says that the configuration is trusted. */
  readonly trustFile: string;
}

/**
 * Loads the configuration for a command that runs its servers.
 *
 * @param flag the value of `--config`
 * @throws ToolsiftError as `loadConfig` does
 */
export async function loadForRun(flag: string | undefined): Promise<LoadedForRun> {
  const folders = userFolders();
  const trusted = trustedTexts(folders);
  const loading = { flag, checked: checkedTexts(folders, VERSION), trusted };
  const config = await loadConfig(loading);
  return { config, folders, loading, trustFile: trusted.stampOf(config.file) };
}

/** Tells what is odd about a configuration, and why nothing of it runs. */
export function warnOf({ warnings, notice }: Config, log: Logger): void {
  for (const warning of warnings) log.warn(warning);
  if (notice !== undefined) log.warn(notice);
}
