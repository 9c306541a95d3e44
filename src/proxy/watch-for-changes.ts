import type { Config } from '../config/config.ts';
import { untrustedReason } from '../config/entry/untrusted.ts';
import { type LoadOptions, loadConfig } from '../config/load-config.ts';
import { errorText } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { ToolProxy } from './proxy.ts';
import { watchRestartRequests } from './restart-requests.ts';
import { watchFileChanges } from './watch-file.ts';

export interface WatchOptions {
  /** The configuration that the proxy runs. */
  readonly config: Config;
  /** How it was loaded, and is again after an edit. */
  readonly loading?: LoadOptions;
  /** Another file whose change may change the configuration. */
  readonly alsoWatched?: string;
  /** Where other toolsift processes leave their requests. */
  readonly dataFolder: string;
  /** Where logins are kept. */
  readonly loginFolder: string;
  /** Told of every configuration that the proxy has taken over. */
  readonly onapplied?: (config: Config) => void | Promise<void>;
  readonly log: Logger;
}

/**
 * Applies edits of the configuration, logins, and requests to restart a server, to a running proxy. An edit that cannot be
 * used changes nothing and is reported. The returned function ends the watching.
 */
export function watchForChanges(
  proxy: ToolProxy,
  { config: initial, loading = {}, alsoWatched, dataFolder, loginFolder, onapplied, log }: WatchOptions,
): () => void {
  const { file, foundBy = '--config' } = initial;
  let used = initial;
  const reload = async () => {
    try {
      const config = await loadConfig({ ...loading, found: { file, foundBy } });
      for (const warning of config.warnings) log.warn(warning);
      if (config.notice !== undefined && used.notice === undefined) {
        const reason = untrustedReason(file);
        log.warn(`${file} has changed, and what was read before stays: ${reason}`);
        proxy.applyConfig({ ...used, waiting: `An edit of the configuration waits: ${reason}` });
        return;
      }
      used = config;
      proxy.applyConfig(config);
      await onapplied?.(config);
      const { size } = config.servers;
      log.info(`read ${file} again: ${size === 1 ? '1 server' : `${size} servers`}`);
    } catch (error) {
      log.error(`${file} has changed but cannot be used, so what was read before stays: ${errorText(error)}`);
    }
  };
  // One after the other: an older edit must not be applied after a newer one.
  let reloading: Promise<void> = Promise.resolve();
  const ends = [
    ...[file, alsoWatched].flatMap((watched) =>
      watched === undefined
        ? []
        : watchFileChanges(watched, () => {
            reloading = reloading.then(reload);
          }),
    ),
    // A folder changes with each file that is put into it.
    watchFileChanges(loginFolder, () => proxy.loggedIn()),
    watchRestartRequests(dataFolder, (server) => {
      log.info(`restarting server "${server}" as asked`);
      void proxy.restart(server);
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
