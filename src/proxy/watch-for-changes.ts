import { type CheckedTexts, loadConfig } from '../config/load-config.ts';
import { errorText } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { ToolProxy } from './proxy.ts';
import { watchRestartRequests } from './restart-requests.ts';
import { watchFileChanges } from './watch-file.ts';

export interface WatchOptions {
  /** The configuration file. */
  readonly file: string;
  /** Where other toolsift processes leave their requests. */
  readonly dataFolder: string;
  readonly checked?: CheckedTexts;
  readonly log: Logger;
}

/**
 * Applies edits of the configuration, and requests to restart a server, to a running proxy. An edit that cannot be
 * used changes nothing and is reported. The returned function ends the watching.
 */
export function watchForChanges(
  proxy: ToolProxy,
  { file, dataFolder, checked, log }: WatchOptions,
): () => void {
  const reload = async () => {
    try {
      const config = await loadConfig({ flag: file, checked });
      for (const warning of config.warnings) log.warn(warning);
      proxy.applyConfig(config);
      log.info(`read ${file} again: ${config.servers.size} servers`);
    } catch (error) {
      log.error(`${file} has changed but cannot be used, so what was read before stays: ${errorText(error)}`);
    }
  };
  // One after the other: an older edit must not be applied after a newer one.
  let reloading: Promise<void> = Promise.resolve();
  const ends = [
    watchFileChanges(file, () => {
      reloading = reloading.then(reload);
    }),
    watchRestartRequests(dataFolder, (server) => {
      log.info(`restarting server "${server}" as asked`);
      void proxy.upstreams.get(server)?.restart();
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
